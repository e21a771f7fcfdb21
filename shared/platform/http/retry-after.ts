const time = '(?<time>\\d\\d:\\d\\d:\\d\\d)';

/** The three forms of an HTTP-date (RFC 9110, section 5.6.7); the last two are obsolete, but to be understood. */
const httpDates = [
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d\\d) (?<month>\\w{3}) (?<year>\\d{4}) ${time} GMT$`),
  new RegExp(`^[A-Z][a-z]+day, (?<day>\\d\\d)-(?<month>\\w{3})-(?<year>\\d\\d) ${time} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} (?<month>\\w{3}) (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})$`),
];

/** A year of two digits: one that would be more than 50 years ahead is the last one that ended so. */
function fullYear(year: string, now: Date): number {
  if (year.length > 2) return Number(year);
  const present = now.getUTCFullYear();
  const ofThisCentury = present - (present % 100) + Number(year);
  return ofThisCentury > present + 50 ? ofThisCentury - 100 : ofThisCentury;
}

/** The time of an HTTP-date, in milliseconds; undefined for any other text, much of which `Date.parse` reads as some year. */
function httpDateMs(text: string, now: Date): number | undefined {
  const parts = httpDates.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return undefined;
  const { day = '', month = '', year = '', time: timeOfDay = '' } = parts;
  const date = `${day.replace(' ', '0')} ${month} ${fullYear(year, now)} ${timeOfDay} GMT`;
  const retryDate = new Date(date);
  // A day that its month does not have is read as one of the next month.
  return retryDate.toUTCString().endsWith(` ${date}`) ? retryDate.getTime() : undefined;
}

/**
 * Milliseconds that a `Retry-After` header asks for, in seconds or as a date (RFC 9110, section 10.2.3); 0 for a time that is
 * over, undefined without a header or for one of another form.
 */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const until = httpDateMs(text, now);
  return until === undefined ? undefined : Math.max(0, until - now.getTime());
}
