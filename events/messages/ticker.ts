import { z } from 'zod';

/** Tickers as exchanges and Yahoo write them: `AAPL`, `BRK-B`, `^GSPC`. */
export const Ticker = z.string().regex(/^[A-Z0-9^][A-Z0-9.^=&-]{0,15}$/, 'Not a ticker');
