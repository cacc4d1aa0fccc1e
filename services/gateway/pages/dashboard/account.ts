import type uPlot from 'uplot';
import { find } from '../dom.ts';
import { colour, createChart, SESSIONS } from './chart.ts';
import { amount, compact, count, day, directionOf, money, percent, signed } from './format.ts';
import { view, type Point } from './state.ts';
import { setText } from './table.ts';

/** The figures of the account, and its value over time. */
export function showAccount(): void {
  view(['status'], ({ status }) => {
    if (status === null) return;
    setText(find('#total-value'), money(status.total_value, status.currency));
    setText(find('#cash'), amount(status.cash));
    gainOrLoss(find('#unrealized'), status.unrealized_pnl);
    gainOrLoss(find('#realized'), status.realized_pnl);
    setText(find('#fees'), amount(status.fees));
    gainOrLoss(find('#dividends'), status.dividends);
    gainOrLoss(find('#borrowing'), -status.borrowing_costs);
    setText(find('#unsettled'), amount(status.unsettled_cash));
    setText(find('#open-orders'), count(status.open_orders));
    const discrepancies = find('#discrepancies');
    setText(discrepancies, count(status.discrepancies));
    discrepancies.dataset.warn = String(status.discrepancies > 0);
  });

  let points: Point[] = [];
  const chart = createChart(find('#equity-chart'), {
    readout: find('#equity-readout'),
    label: 'Account value by session',
    steps: SESSIONS,
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
      const { total_value, cash } = points[index]!;
      const first = points[0]!.total_value;
      return `Value ${amount(total_value)}  Cash ${amount(cash)}  Since ${day(points[0]!.session)} ${percent(total_value / first - 1)}`;
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

function gainOrLoss(node: HTMLElement, value: number): void {
  setText(node, signed(value));
  node.className = directionOf(value);
}

/** A line where the account began. */
function paintStart(plot: uPlot): void {
  const { ctx, bbox, data } = plot;
  const y = Math.round(plot.valToPos(data[1]![0]!, 'y', true)) + 0.5;
  ctx.save();
  ctx.strokeStyle = colour('soft');
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}
