import type { AccountEvent } from '../../events/catalog/catalog.ts';

type Draft<Event> = Event extends { readonly type: infer Type; readonly data: infer Data }
  ? { readonly type: Type; readonly data: Data }
  : never;

/** What the account decides to put on record; every recorded event of an account is one of these too. */
export type AccountDraft = Draft<AccountEvent>;

/** The data of one type of event. */
export type AccountData<Type extends AccountDraft['type']> = Extract<AccountDraft, { type: Type }>['data'];
