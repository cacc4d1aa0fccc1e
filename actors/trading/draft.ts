import type { AccountEvent, DraftOf } from '../../events/catalog/catalog.ts';

/** What the account decides to put on record. */
export type AccountDraft = DraftOf<AccountEvent>;

/** The data of one type of event. */
export type AccountData<Type extends AccountDraft['type']> = Extract<AccountDraft, { type: Type }>['data'];
