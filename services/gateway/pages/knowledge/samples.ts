import type { z } from 'zod';
import type { ReviewContext } from '../../../../events/messages/knowledge.ts';

export interface Sample {
  readonly question: string;
  readonly context: z.input<typeof ReviewContext>;
}

/**
 * Small reviews that fill the form, after the law of March 2022. In one the hourly wage is no less than the minimum wage
 * and the sum is right, in the other neither.
 */
export const SAMPLES = {
  de: {
    right: german('9,82 €', '1.600,00 €', ['1.571,20 €', '28,80 €']),
    wrong: german('9,60 €', '1.574,80 €', ['1.536,00 €', '28,80 €']),
  },
  en: {
    right: english('9.82 EUR', '1,600.00 EUR', ['1,571.20 EUR', '28.80 EUR']),
    wrong: english('9.60 EUR', '1,574.80 EUR', ['1,536.00 EUR', '28.80 EUR']),
  },
};

function german(wage: string, result: string, [base, bonus]: [string, string]): Sample {
  return {
    question: 'Entspricht der Stundenlohn im März 2022 dem Mindestlohn?',
    context: {
      facts: [{ key: 'stundenlohn', value: wage, note: 'März 2022' }],
      computation: {
        label: 'Bruttolohn März 2022',
        result,
        basis: '160 Stunden zum Stundenlohn und eine Zulage',
        components: [
          { key: 'grundlohn', value: base },
          { key: 'zulage', value: bonus },
        ],
      },
    },
  };
}

function english(wage: string, result: string, [base, bonus]: [string, string]): Sample {
  return {
    question: 'Does the hourly wage in March 2022 meet the minimum wage?',
    context: {
      facts: [{ key: 'hourly_wage', value: wage, note: 'March 2022' }],
      computation: {
        label: 'Gross pay March 2022',
        result,
        basis: '160 hours at the hourly wage, and a bonus',
        components: [
          { key: 'base_pay', value: base },
          { key: 'bonus', value: bonus },
        ],
      },
    },
  };
}
