/**
 * Milliseconds that a `Retry-After` header asks for, in seconds or as a date (RFC 9110, section 10.2.3); 0 for a time that is
 * over, undefined without a header or for one of another form.
 */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
