import { FILLERS } from './largest.ts';

/** The recorded ids that requests can name. */
export interface History {
  readonly asks: readonly string[];
  readonly keys: readonly string[];
  readonly tickers: readonly string[];
  readonly orders: readonly string[];
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  await response.clone().arrayBuffer();
  return response;
}

/** Writes a record with something to list: asks with ratings and comments, one of them repeated often, and orders. */
export async function writeHistory(
  knowledge: string,
  dashboard: string,
  asks: number,
  orders: number,
): Promise<History> {
  const ids: string[] = [];
  for (let i = 0; i < asks; i++) {
    const question = { question: `${FILLERS.names(1)} ${i}?`, top_k: 50 };
    const id = i < asks / 3 ? 'often' : `ask-${i}`;
    await post(`${knowledge}/v1/ask`, question, { 'x-request-id': id });
    const comment = { request_id: id, comment: FILLERS['short sentences'](100).slice(0, 2_000) };
    await Promise.all([
      post(`${knowledge}/v1/ratings`, {
        request_id: id,
        rating: 'down',
        feedback: comment.comment.slice(0, 1_000),
      }),
      post(`${knowledge}/v1/comments`, comment),
    ]);
    ids.push(id);
  }
  const { quantities } = (await (await fetch(`${knowledge}/v1/review/vocabulary`)).json()) as {
    quantities: { key: string }[];
  };
  await post(`${dashboard}/api/trading/start`, {});
  const { initial: tickers } = (await (await fetch(`${dashboard}/api/data/tickers`)).json()) as {
    initial: string[];
  };
  for (let i = 0; i < orders; i += 50) {
    await Promise.all(
      Array.from({ length: Math.min(50, orders - i) }, (_, k) =>
        post(`${dashboard}/api/trading/order`, {
          ticker: tickers[k % tickers.length],
          action: 'buy',
          quantity: 1,
          price: 0.5,
          type: 'limit',
          time_in_force: 'gtc',
        }),
      ),
    );
  }
  const known = (await (await fetch(`${dashboard}/api/trading/orders?limit=10`)).json()) as {
    order_id: string;
  }[];
  return {
    asks: ids,
    keys: quantities.map(({ key }) => key),
    tickers,
    orders: known.map(({ order_id }) => order_id),
  };
}
