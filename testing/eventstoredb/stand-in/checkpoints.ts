import pb from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from './stored-event.ts';
import type { Version } from './version.ts';

/** Commit and prepare position, compared as signed numbers like in the server; the start is -1. */
export interface Place {
  readonly commit: bigint;
  readonly prepare: bigint;
}

export const START: Place = { commit: -1n, prepare: -1n };

export const placeOf = ({ position }: StoredEvent): Place => ({ commit: position, prepare: position });

export function isAfter(one: Place, other: Place): boolean {
  return one.commit > other.commit || (one.commit === other.commit && one.prepare > other.prepare);
}

/**
 * The checkpoints that a filtered subscription gets, by the server's own rules: `AllSubscriptionFiltered` of 24.10 and
 * of 23.10. Only in the live part is a checkpoint the position of an event; in history it is the beginning of a page.
 */
export class Checkpoints {
  readonly #version: Version;
  readonly #interval: number;
  /** The last sent event or checkpoint, at first the start of the subscription. */
  #place: Place;
  #looked = 0;
  #told: Place | undefined;

  constructor(version: Version, interval: number, start: Place) {
    this.#version = version;
    this.#interval = interval;
    this.#place = start;
  }

  sent(event: StoredEvent): void {
    this.#place = placeOf(event);
  }

  /** Called after a page of history: its beginning, its number of events, and whether the record ended there. */
  afterPage(began: Place, looked: number, atEnd: boolean): pb.ReadResp | undefined {
    this.#looked += looked;
    if (atEnd) return this.#version === '23.10' ? undefined : this.tell();
    if (this.#looked < this.#interval) return undefined;
    this.#looked %= this.#interval;
    if (isAfter(began, this.#place)) this.#place = began;
    return this.tell();
  }

  /** Called after a live event was read. */
  afterLive(event: StoredEvent): pb.ReadResp | undefined {
    if (++this.#looked < this.#interval) return undefined;
    this.#looked = 0;
    this.#place = placeOf(event);
    return this.tell();
  }

  /** 24.10 compares as unsigned numbers here: after a checkpoint at the start, -1, nothing is greater. */
  tell(): pb.ReadResp | undefined {
    const unsigned = {
      commit: BigInt.asUintN(64, this.#place.commit),
      prepare: BigInt.asUintN(64, this.#place.prepare),
    };
    if (this.#version === '24.10' && this.#told !== undefined && !isAfter(unsigned, this.#told)) {
      return undefined;
    }
    this.#told = unsigned;
    return new pb.ReadResp().setCheckpoint(
      new pb.ReadResp.Checkpoint()
        .setCommitPosition(String(unsigned.commit))
        .setPreparePosition(String(unsigned.prepare)),
    );
  }
}
