import { expect, test } from 'vitest';
import { repeatableCommand } from './typed-command.ts';

const argv = ['node', 'beleg', 'backtest', '--strategy', "it's mine.ts"];

test('names the settings that change the result, so that a shell reads back the same words', () => {
  const env = {
    TD_SOURCE: 'csv:my data',
    TD_CASH: '5000',
    TD_RISK_FREE_PERCENT: '2',
    TD_INDEX: ' ',
    DATA_DIR: 'd',
  };
  expect(repeatableCommand({}, { argv, env })).toBe(
    `DATA_DIR=d TD_SOURCE='csv:my data' TD_CASH=5000 TD_RISK_FREE_PERCENT=2 npx beleg backtest --strategy 'it'\\''s mine.ts'`,
  );
});

test('leaves out what an option replaces, what belongs to live trading, and keys', () => {
  const env = {
    TD_STRATEGY: 'crossover',
    TD_FEED_SPEED: '5',
    TD_ACCOUNT: 'a',
    TD_API_KEY: 'secret',
    PATH: '/bin',
  };
  const options = { TD_STRATEGY: ['--strategy', 'it'] } as const;
  expect(repeatableCommand(options, { argv: argv.slice(0, 3), env })).toBe('npx beleg backtest');
});
