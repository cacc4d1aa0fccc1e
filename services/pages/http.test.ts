import { expect, onTestFinished, test, vi } from 'vitest';
import { problemFrom, storedKey } from './http.ts';
import { GERMAN_TITLES } from './knowledge/languages.ts';

test.each([
  [413, 'The request is too large', 'Die Eingabe ist zu groß'],
  [429, 'Too many requests', 'Zu viele Anfragen in kurzer Zeit'],
  [502, 'The service cannot be reached', 'Der Dienst ist nicht zu erreichen'],
  [503, 'The service cannot be reached', 'Der Dienst ist nicht zu erreichen'],
  [504, 'The service cannot be reached', 'Der Dienst ist nicht zu erreichen'],
  [404, 'A server in front of the service has answered', 'Ein Server vor dem Dienst hat geantwortet'],
])('what a proxy answers itself with %i has a sentence in both languages', (status, english, german) => {
  const { title, code, detail } = problemFrom(new Response('<html>nginx</html>', { status }));
  expect({ title, german: GERMAN_TITLES[code], detail }).toEqual({
    title: english,
    german,
    detail: `HTTP ${status}`,
  });
});

const denied = () => {
  throw new DOMException('The operation is insecure', 'SecurityError');
};

test('a key is remembered until the page is left where the browser blocks what sites store', () => {
  vi.stubGlobal('sessionStorage', { getItem: denied, setItem: denied, removeItem: denied });
  onTestFinished(() => void vi.unstubAllGlobals());
  const key = storedKey('k');
  expect(key.read()).toBe('');
  key.write('secret');
  expect(key.read()).toBe('secret');
  key.write('');
  expect(key.read()).toBe('');
});
