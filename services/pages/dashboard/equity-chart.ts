import { find } from '../dom.ts';
import { colour, createChart, paintLine, SESSIONS } from './chart.ts';
import { amount, compact, day, percent } from './format.ts';
import { view, type Point } from './state.ts';

/** Shows the value of the account over time. */
export function showEquity(): void {
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
    // Draws a line at the value of the beginning.
    paint: (plot) => paintLine(plot, 'y', points[0]!.total_value),
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
