/** Throws `TypeError` unless a message can be published to this: non-empty tokens, no wildcards, no white space. */
export function assertSubject(subject: string): void {
  if (!subject.split('.').every((token) => isToken(token) && token !== '*' && token !== '>')) {
    throw new TypeError(`not a subject: ${JSON.stringify(subject)}`);
  }
}

/** Throws `TypeError` unless this can be subscribed to: a subject in which `*` and a last `>` may be tokens. */
export function assertFilter(filter: string): void {
  const tokens = filter.split('.');
  if (!tokens.every((token, i) => isToken(token) && (token !== '>' || i === tokens.length - 1))) {
    throw new TypeError(`not a subject to subscribe to: ${JSON.stringify(filter)}`);
  }
}

/** Throws `TypeError` unless this can name a queue group, which is also the name of a service. */
export function assertQueue(queue: string): void {
  if (!/^[A-Za-z0-9_-]+$/.test(queue)) throw new TypeError(`not a queue group: ${JSON.stringify(queue)}`);
}

/** Whether a subject is one of those a filter stands for: `*` is exactly one token, a last `>` one or more. */
export function matchesFilter(filter: readonly string[], subject: readonly string[]): boolean {
  for (let i = 0; i < filter.length; i++) {
    const token = filter[i];
    if (token === '>') return subject.length > i;
    if (i >= subject.length || (token !== '*' && token !== subject[i])) return false;
  }
  return filter.length === subject.length;
}

/** NATS forbids white space and control characters; a wildcard inside a token would be taken literally there. */
function isToken(token: string): boolean {
  return token !== '' && !/[\s\p{Cc}]/u.test(token);
}
