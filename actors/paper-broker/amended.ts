import { optionalPriceText, quantityText } from '../../events/decimal.ts';
import type { BookOrder, PaperDraft } from './book.ts';

/** The event that changes an open order to these terms. */
export function amended(
  {
    order_id,
    quantity,
    price,
    stop_price,
  }: Pick<BookOrder, 'order_id' | 'quantity' | 'price' | 'stop_price'>,
  reason: 'requested' | 'linked' | 'trail',
  amendment?: number,
): PaperDraft {
  return {
    type: 'PaperOrderAmended',
    data: {
      order_id,
      quantity: quantityText(quantity),
      price: optionalPriceText(price),
      stop_price: optionalPriceText(stop_price),
      reason,
      ...(amendment !== undefined && { amendment }),
    },
  };
}
