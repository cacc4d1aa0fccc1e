import { colour, createChart } from './chart.js';
import { amount, compact, count, day, directionOf, money, percent, signed } from './format.js';
import { view } from './state.js';
import { setText } from './table.js';

const at = (id) => document.querySelector(`#${id}`);

/** The figures of the account, and its value over time. */
export function showAccount() {
  const figures = [
    'total-value',
    'cash',
    'unrealized',
    'realized',
    'fees',
    'unsettled',
    'open-orders',
    'discrepancies',
  ];
  const nodes = Object.fromEntries(figures.map((id) => [id, at(id)]));
  view(['status'], ({ status }) => {
    if (status === null) return;
    setText(nodes['total-value'], money(status.total_value, status.currency));
    setText(nodes.cash, amount(status.cash));
    gainOrLoss(nodes.unrealized, status.unrealized_pnl);
    gainOrLoss(nodes.realized, status.realized_pnl);
    setText(nodes.fees, amount(status.fees));
    setText(nodes.unsettled, amount(status.unsettled_cash));
    setText(nodes['open-orders'], count(status.open_orders));
    setText(nodes.discrepancies, count(status.discrepancies));
    nodes.discrepancies.dataset.warn = String(status.discrepancies > 0);
  });

  let points = [];
  const chart = createChart(at('equity-chart'), {
    readout: at('equity-readout'),
    label: 'Account value by session',
    series: [
      {
        stroke: () => colour('accent'),
        fill: () => colour('accent-wash'),
        width: 1.5,
        points: { show: false },
      },
    ],
    range: (min, max) => {
      const room = Math.max((max - min) * 0.08, max * 0.001);
      return [min - room, max + room];
    },
    formatY: compact,
    paint: paintStart,
    say(index) {
      const { total_value, cash } = points[index];
      const first = points[0].total_value;
      return `Value ${amount(total_value)}  Cash ${amount(cash)}  Since ${day(points[0].session)} ${percent(total_value / first - 1)}`;
    },
  });
  view(['equity'], ({ equity }) => {
    points = equity;
    chart.show(
      equity.map(({ session }) => session),
      [equity.map(({ total_value }) => total_value)],
    );
  });
}

function gainOrLoss(node, value) {
  setText(node, signed(value));
  node.className = directionOf(value);
}

/** A line where the account began. */
function paintStart({ ctx, bbox, data, valToPos }) {
  const y = Math.round(valToPos(data[1][0], 'y', true)) + 0.5;
  ctx.save();
  ctx.strokeStyle = colour('soft');
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}
