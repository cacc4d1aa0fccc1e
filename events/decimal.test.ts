import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  integerOf,
  MoneyText,
  moneyNumber,
  moneyText,
  mulDiv,
  parseMoney,
  parsePrice,
  parseQuantity,
  parseRatio,
  perShareNumber,
  plainText,
  priceNumber,
  priceOf,
  priceText,
  PriceText,
  quantityText,
  ratioText,
  RatioText,
  valueOf,
} from './decimal.ts';

describe('decimal text', () => {
  it('is read to the last place and written without what says nothing', () => {
    expect(parsePrice('101.5')).toBe(10_150_000_000n);
    expect(parsePrice('-0.00000001')).toBe(-1n);
    expect(parsePrice('1.500000000000')).toBe(150_000_000n);
    expect(priceText(10_150_000_000n)).toBe('101.5');
    expect(priceText(-1n)).toBe('-0.00000001');
    expect(priceText(parsePrice('-0'))).toBe('0');
    expect(quantityText(parseQuantity('300'))).toBe('300');
    expect(moneyText(parseMoney('0.0000000000000001'))).toBe('0.0000000000000001');
  });

  it.each(['', ' 1', '1 ', '+1', '.5', '5.', '1e3', '1,5', 'NaN', '0x1', '1.123456789', '1'.repeat(25)])(
    'refuses %j',
    (text) => expect(() => parsePrice(text)).toThrow(RangeError),
  );

  it('comes back as it went, and as the schemas want it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (value) => {
        expect(parsePrice(priceText(value))).toBe(value);
        expect(PriceText.safeParse(priceText(value)).success).toBe(true);
        expect(parseMoney(moneyText(value))).toBe(value);
        expect(MoneyText.safeParse(moneyText(value)).success).toBe(true);
      }),
    );
  });
});

describe('numbers from outside', () => {
  it('mean their shortest text', () => {
    expect(priceOf(0.1)).toBe(10_000_000n);
    expect(priceOf(189.9499969482422)).toBe(18_994_999_695n);
    expect(priceOf(1e-8)).toBe(1n);
    expect(priceOf(-1.000000005)).toBe(-100_000_001n);
    expect(priceOf(1e21)).toBe(10n ** 29n);
    expect(() => priceOf(Number.NaN)).toThrow(RangeError);
    expect(() => priceOf(Number.POSITIVE_INFINITY)).toThrow(RangeError);
  });

  it('have a text without an exponent that is the same number', () => {
    expect(plainText(1.5e-7)).toBe('0.00000015');
    expect(plainText(-1.25e22)).toBe('-12500000000000000000000');
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = plainText(number);
        expect(text).not.toMatch(/e/i);
        expect(Number(text) === number).toBe(true);
      }),
    );
  });

  it('are converted as by the language, whatever their size', () => {
    for (const number of [0, -0, 1, -1, 2 ** 32, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, 2 ** 60, -1e21])
      expect(integerOf(number)).toBe(BigInt(number));
    expect(() => integerOf(0.5)).toThrow(RangeError);
    const anyInteger = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    fc.assert(
      fc.property(fc.maxSafeInteger(), anyInteger, (number, integer) => {
        expect(integerOf(number)).toBe(BigInt(number));
        expect(priceNumber(BigInt(number))).toBe(number / 1e8 + 0);
        expect(priceNumber(integer)).toBe(Number(priceText(integer)));
      }),
    );
  });

  it('come back for prices as they are written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (millionths) => {
        const price = millionths / 1e6;
        expect(priceNumber(priceOf(price))).toBe(price);
      }),
    );
  });
});

describe('arithmetic', () => {
  it('values a quantity at a price exactly', () => {
    const value = valueOf(parseQuantity('50000'), parsePrice('1.00001'));
    expect(moneyText(value)).toBe('50000.5');
    expect(moneyNumber(value)).toBe(50_000.5);
  });

  it('rounds a share once, half away from zero, alike on both sides', () => {
    expect(mulDiv(10n, 1n, 3n)).toBe(3n);
    expect(mulDiv(5n, 1n, 2n)).toBe(3n);
    expect(mulDiv(-5n, 1n, 2n)).toBe(-3n);
    expect(mulDiv(5n, -1n, 2n)).toBe(-3n);
    expect(mulDiv(5n, 1n, -2n)).toBe(-3n);
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        (value, numerator, denominator) => {
          const share = mulDiv(value, numerator, denominator);
          const twice = 2n * (share * denominator - value * numerator);
          expect(twice <= denominator && twice >= -denominator).toBe(true);
          expect(mulDiv(-value, numerator, denominator)).toBe(-share);
        },
      ),
    );
  });
});

describe('ratios', () => {
  it.each([
    ['7', '7/1'],
    ['7:1', '7/1'],
    ['3 / 2', '3/2'],
    ['0.05', '1/20'],
    ['1:20', '1/20'],
    ['0.3333', '3333/10000'],
    ['14/2', '7/1'],
  ])('%s is %s', (text, lowest) => {
    expect(ratioText(parseRatio(text))).toBe(lowest);
    expect(RatioText.safeParse(lowest).success).toBe(true);
  });

  it.each(['0', '-2', '1/0', '', '/', '1/2/3', 'two', '1:-2'])('refuses %j', (text) =>
    expect(() => parseRatio(text)).toThrow(RangeError),
  );
});

/** A reference: all digits as integers, rounded half away from zero to 8 places. */
const slowly = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const places = Math.max(fraction.length, 8);
  const unit = 10n ** BigInt(places - 8);
  const value = (BigInt(whole + fraction.padEnd(places, '0')) + unit / 2n) / unit;
  return text.startsWith('-') ? -value : value;
};

describe('the quick ways', () => {
  it('give what the slow ones give', () => {
    const text = fc
      .tuple(fc.boolean(), fc.stringMatching(/^\d{1,20}$/), fc.stringMatching(/^\d{0,8}$/))
      .map(([negative, whole, fraction]) => `${negative ? '-' : ''}${whole}${fraction && `.${fraction}`}`);
    fc.assert(
      fc.property(text, (decimal) => {
        expect(parsePrice(decimal)).toBe(slowly(decimal));
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (number) => {
        expect(priceOf(number)).toBe(slowly(plainText(number)));
      }),
    );
    const half = 5n * 10n ** 7n;
    const amount = fc.oneof(
      fc.bigInt({ min: -(10n ** 26n), max: 10n ** 26n }),
      // What is near a half of the last place is where doubles may be on the wrong side of it.
      fc
        .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.bigInt({ min: -2n, max: 2n }))
        .map(([places, off]) => places * 10n ** 8n + half + off),
    );
    fc.assert(
      fc.property(amount, (money) => {
        expect(moneyNumber(money)).toBe(Number(priceText(slowly(moneyText(money)))));
      }),
    );
  });
});

it('numbers for people have no digits that nobody wrote', () => {
  expect(moneyNumber(parseMoney('99987.1234567890123456'))).toBe(99987.12345679);
  expect(perShareNumber(parseMoney('1028.61405'), parseQuantity('10'))).toBe(102.861405);
});

it('the value of one share is the double that its text stands for', () => {
  const share = parseQuantity('1');
  const amount = fc.oneof(
    fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }),
    // Around what a double has exactly, and halfway between two of them.
    fc
      .tuple(fc.bigInt({ min: 0n, max: 2n ** 56n }), fc.integer({ min: -1, max: 1 }))
      .map(([halves, beside]) => halves * 5n ** 16n + BigInt(beside)),
  );
  fc.assert(
    fc.property(amount, (value) => {
      expect(perShareNumber(value, share)).toBe(Number(moneyText(value)));
    }),
    { numRuns: 5_000 },
  );
});
