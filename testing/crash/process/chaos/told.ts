/** What clients sent and were told, in milliseconds since 1970. The record must have each exactly once. */
interface Told {
  readonly sentAt: number;
  readonly toldAt: number;
}

export interface ToldAnswer extends Told {
  readonly requestId: string;
  /** True if it can be rated, so it is on record; otherwise it is on its way there. */
  readonly isRecorded: boolean;
}

export interface ToldRating extends Told {
  readonly requestId: string;
  readonly rating: 'up' | 'down';
}

export interface ToldComment extends Told {
  readonly requestId: string;
  readonly commentId: number;
}

export interface ToldOrder extends Told {
  readonly clientOrderId: string;
  readonly orderId: string;
}

export interface ToldCancel extends Told {
  readonly orderId: string;
}

export interface ToldErasure extends Told {
  readonly requestId: string;
  /** Words of the question that must be gone after the erasure. */
  readonly secret: string;
}

/** What health reported. */
export interface ToldHealth extends Told {
  readonly status: string;
  readonly spooled: number;
  readonly lost: number;
}

/** Each request is sent once; an order without an answer is sent again under the id of its client. */
export class Acknowledged {
  readonly answers: ToldAnswer[] = [];
  readonly ratings: ToldRating[] = [];
  readonly comments: ToldComment[] = [];
  readonly orders: ToldOrder[] = [];
  readonly cancels: ToldCancel[] = [];
  readonly erasures: ToldErasure[] = [];
  readonly health: ToldHealth[] = [];
  /** Requests whose answers a fault removed from the disk while they waited there. */
  readonly destroyed = new Set<string>();
  /** When a fault last removed or damaged keys of text, in milliseconds since 1970. Those of later requests must all be there. */
  keysTakenAt: number | null = null;
  /** `ask 200` → its count. */
  readonly outcomes = new Map<string, number>();

  count(what: string): void {
    this.outcomes.set(what, (this.outcomes.get(what) ?? 0) + 1);
  }
}
