/** What clients sent, and were told: times in milliseconds since 1970. The record must hold each of these exactly once. */
interface Told {
  readonly sentAt: number;
  readonly toldAt: number;
}

export interface ToldAnswer extends Told {
  readonly requestId: string;
  /** It can be rated: it is on record already. Else it is on its way there. */
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
  /** Words of the question that are gone with it. */
  readonly secret: string;
}

/** What health said. */
export interface ToldHealth extends Told {
  readonly status: string;
  readonly spooled: number;
  readonly lost: number;
}

/** Each request is sent once; an order again, under the id of its client, where nothing was heard of it. */
export class Acknowledged {
  readonly answers: ToldAnswer[] = [];
  readonly ratings: ToldRating[] = [];
  readonly comments: ToldComment[] = [];
  readonly orders: ToldOrder[] = [];
  readonly cancels: ToldCancel[] = [];
  readonly erasures: ToldErasure[] = [];
  readonly health: ToldHealth[] = [];
  /** Requests whose answers a fault has taken from the disk while they waited there: nobody could keep them. */
  readonly destroyed = new Set<string>();
  /** A fault has taken keys of text, or damaged them: nobody can bring them back. */
  keysTaken = false;
  /** `ask 200` → how often. */
  readonly outcomes = new Map<string, number>();

  count(what: string): void {
    this.outcomes.set(what, (this.outcomes.get(what) ?? 0) + 1);
  }
}
