/** An EIN as it is compared, with its hyphen, which sources leave out; what has not nine digits stays as it is. */
export const comparableEin = (written: string): string => {
  const digits = written.replace(/\D/g, '');
  return digits.length === 9 ? `${digits.slice(0, 2)}-${digits.slice(2)}` : written;
};
