import { comparableEin } from '../identifiers/comparable-ein.ts';
import { comparableName } from '../matching/names.ts';
import { type AppointmentRow, companyKey } from './facts.ts';

/** What the rows of a company call it. */
interface Company {
  readonly code: string | null;
  readonly eins: Set<string>;
  readonly names: Set<string>;
}

/**
 * The companies of rows, by their keys: a row without a code is of the one company with its EIN, one without both of the one
 * with its name; where none or several fit, of its own.
 */
export function companiesOf(
  rows: Iterable<AppointmentRow>,
): (row: AppointmentRow) => readonly [string, string | null] {
  const companies = new Map<string, Company>();
  for (const row of rows) {
    const code = row.companyCode?.trim() ?? '';
    const { eins, names } = companies.get(companyKey(row)) ?? { eins: new Set(), names: new Set() };
    companies.set(companyKey(row), { code: code === '' ? null : code, eins, names });
    if ((row.ein ?? '') !== '') eins.add(comparableEin(row.ein ?? ''));
    const name = comparableName(row.carrierName ?? '');
    if (name !== '') names.add(name);
  }
  const aliases = new Map<string, string>();
  /** Has the companies with a kind of key be the one among others that shares what they are called. */
  const resolve = (
    prefix: 'ein ' | 'name ',
    called: 'eins' | 'names',
    others: readonly [string, Company][],
  ): void => {
    for (const [key, company] of companies) {
      if (!key.startsWith(prefix)) continue;
      const fitting = others.filter(([, other]) =>
        [...company[called]].some((one) => other[called].has(one)),
      );
      const [[to, other] = []] = fitting;
      if (to === undefined || other === undefined || fitting.length > 1) continue;
      aliases.set(key, to);
      for (const name of company.names) other.names.add(name);
    }
  };
  resolve(
    'ein ',
    'eins',
    [...companies].filter(([, { code }]) => code !== null),
  );
  resolve(
    'name ',
    'names',
    [...companies].filter(([key]) => !key.startsWith('name ') && !aliases.has(key)),
  );
  return (row) => {
    const own = companyKey(row);
    const key = aliases.get(own) ?? own;
    return [key, companies.get(key)?.code ?? null];
  };
}
