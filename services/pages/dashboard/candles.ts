import type uPlot from 'uplot';
import { colour, paintLine } from './chart.ts';
import { count, price } from './format.ts';
import type { Actions, Bars, Order } from './state.ts';

/** Bars narrower than this are drawn as a line. */
const NARROWEST = 2.5;
/** The share of the height for the volume. */
const VOLUME = 0.14;

interface Fill {
  readonly action: Order['action'];
  readonly quantity: number;
  readonly at: number;
}

/** The data that is drawn for one ticker; fills are keyed by the index of their bar. */
export interface PriceDrawing extends Actions {
  readonly bars: Bars;
  readonly fills: ReadonlyMap<number, readonly Fill[]>;
  readonly open: readonly Order[];
  /** The average price of the position; `null` if there is none. */
  readonly average: number | null;
}

/**
 * The fills of each bar, by the session of an order's newest fill. Prices before a split are adjusted like the bars.
 */
export function fillsByBar(
  orders: readonly Order[],
  bars: Bars,
  splits: Actions['splits'],
): Map<number, Fill[]> {
  const places = new Map(bars.map(({ date }, i) => [date, i]));
  const fills = new Map<number, Fill[]>();
  for (const { action, filled_quantity: quantity, average_price, filled_at } of orders) {
    if (!filled_at || average_price === null) continue;
    const place = places.get(filled_at);
    if (place === undefined) continue;
    let factor = 1;
    for (const [date, ratio] of Object.entries(splits)) if (date > filled_at) factor *= ratio;
    const fill = { action, quantity: quantity * factor, at: average_price / factor };
    fills.set(place, [...(fills.get(place) ?? []), fill]);
  }
  return fills;
}

export function paintPrices(
  plot: uPlot,
  { bars, splits, dividends, fills, open, average }: PriceDrawing,
): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const x = (i: number) => plot.valToPos(i, 'x', true);
  const y = (value: number) => plot.valToPos(value, 'y', true);
  const width = bbox.width / (bars.length + 1);
  const labels: { middle: number; right: number }[] = [];
  const gain = colour('gain');
  const loss = colour('bad');
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  paintVolume();
  if (width >= NARROWEST * scale) paintCandles();
  else paintCloses();
  paintActions();
  paintLevels();
  paintFills();
  ctx.restore();
  paintLast();

  function paintVolume(): void {
    const most = Math.max(1, ...bars.map(({ volume }) => volume));
    const bottom = bbox.top + bbox.height;
    ctx.fillStyle = colour('volume');
    const wide = Math.max(1, width * 0.6);
    bars.forEach(({ volume }, i) => {
      const height = (volume / most) * bbox.height * VOLUME;
      ctx.fillRect(x(i) - wide / 2, bottom - height, wide, height);
    });
  }

  /** Rising bars are hollow and falling ones filled, so that they are not told apart by colour alone. */
  function paintCandles(): void {
    const wide = Math.max(1, Math.round(width * 0.62));
    ctx.lineWidth = Math.max(1, Math.round(scale));
    bars.forEach(({ open, high, low, close }, i) => {
      const up = close >= open;
      const middle = Math.round(x(i)) + 0.5;
      const top = y(Math.max(open, close));
      const bottom = y(Math.min(open, close));
      ctx.strokeStyle = ctx.fillStyle = up ? gain : loss;
      ctx.beginPath();
      ctx.moveTo(middle, y(high));
      ctx.lineTo(middle, top);
      ctx.moveTo(middle, bottom);
      ctx.lineTo(middle, y(low));
      ctx.stroke();
      const height = Math.max(1, bottom - top);
      if (up && wide >= 4) ctx.strokeRect(middle - wide / 2, top, wide, height);
      else ctx.fillRect(middle - wide / 2, top, wide, height);
    });
  }

  function paintCloses(): void {
    ctx.strokeStyle = colour('ink');
    ctx.lineWidth = 1.25 * scale;
    ctx.lineJoin = 'round';
    ctx.beginPath();
    bars.forEach(({ close }, i) => ctx.lineTo(x(i), y(close)));
    ctx.stroke();
  }

  function paintActions(): void {
    bars.forEach(({ date }, i) => {
      if (splits[date] !== undefined) paintTag('S', i);
      if (dividends[date] !== undefined) paintTag('D', i);
    });
  }

  function paintTag(letter: string, i: number): void {
    const radius = 6 * scale;
    const middle = bbox.top + bbox.height - radius - scale;
    ctx.fillStyle = colour('panel');
    ctx.strokeStyle = colour('soft');
    ctx.lineWidth = scale;
    ctx.beginPath();
    ctx.arc(x(i), middle, radius, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
    ctx.fillStyle = colour('ink');
    write(letter, x(i), middle, { centred: true, size: 8, weight: 'bold' });
  }

  /** The average price and the prices of open orders. The lines are drawn first, so that none crosses a label. */
  function paintLevels(): void {
    const levels = open.flatMap(levelsOf);
    if (average !== null)
      levels.push({ value: average, words: `avg ${price(average)}`, tone: colour('accent') });
    const placed = levels.map((level) => ({ ...level, height: Math.round(y(level.value)) + 0.5 }));
    const [top, bottom] = [bbox.top, bbox.top + bbox.height];
    const shown = placed.filter(({ height }) => height > top && height < bottom);
    for (const { value, tone } of shown) paintLine(plot, 'y', value, { tone, dash: [4, 3] });
    for (const { height, words, tone } of shown) writeLabel(words, height - 7 * scale, tone);
    // Labels off the scale are drawn at its edge.
    for (const { height, words, tone } of placed) {
      if (height <= top) writeLabel(`↑ ${words}`, top + 7 * scale, tone);
      if (height >= bottom) writeLabel(`↓ ${words}`, bottom - 7 * scale, tone);
    }
  }

  function levelsOf({ action, type, quantity, filled_quantity, price: limit, stop_price }: Order) {
    const left = count(quantity - filled_quantity);
    const tone = action === 'buy' ? gain : loss;
    const level = (value: number, kind: string) => ({
      value,
      words: `${action} ${left} ${kind} ${price(value)}`,
      tone,
    });
    if (type === 'stop') return [level(limit, 'stop')];
    return stop_price === null ? [level(limit, 'limit')] : [level(limit, 'limit'), level(stop_price, 'stop')];
  }

  /** Writes a label on a background of its own, beside others at the same height. */
  function writeLabel(words: string, middle: number, tone: string): void {
    setFont(10, '');
    const { width } = ctx.measureText(words);
    let left = bbox.left + 2 * scale;
    for (const label of labels) {
      if (Math.abs(label.middle - middle) < 13 * scale) left = Math.max(left, label.right);
    }
    labels.push({ middle, right: left + width + 8 * scale });
    ctx.fillStyle = colour('panel');
    ctx.fillRect(left, middle - 6 * scale, width + 4 * scale, 12 * scale);
    ctx.fillStyle = tone;
    write(words, left + 2 * scale, middle);
  }

  function paintFills(): void {
    const size = 5 * scale;
    ctx.lineWidth = 1.5 * scale;
    ctx.strokeStyle = colour('panel');
    for (const [i, all] of fills) {
      for (const { action, at } of all) {
        const down = action === 'sell';
        const tip = y(at);
        const base = tip + (down ? -1.8 : 1.8) * size;
        ctx.fillStyle = down ? loss : gain;
        ctx.beginPath();
        ctx.moveTo(x(i), tip);
        ctx.lineTo(x(i) - size, base);
        ctx.lineTo(x(i) + size, base);
        ctx.closePath();
        ctx.stroke();
        ctx.fill();
      }
    }
  }

  /** The last close, marked on the axis. */
  function paintLast(): void {
    const { close } = bars.at(-1)!;
    const height = y(close);
    ctx.save();
    ctx.fillStyle = colour('ink');
    ctx.fillRect(bbox.left + bbox.width + 2 * scale, height - 8 * scale, 58 * scale, 16 * scale);
    ctx.fillStyle = colour('panel');
    write(price(close), bbox.left + bbox.width + 6 * scale, height, { size: 11, weight: 'bold' });
    ctx.restore();
  }

  function write(
    words: string,
    left: number,
    middle: number,
    { centred = false, size = 10, weight = '' } = {},
  ): void {
    setFont(size, weight);
    ctx.textAlign = centred ? 'center' : 'left';
    ctx.textBaseline = 'middle';
    ctx.fillText(words, left, middle);
  }

  function setFont(size: number, weight: string): void {
    ctx.font = `${weight} ${size * scale}px system-ui, sans-serif`;
  }
}
