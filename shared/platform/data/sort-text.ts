/**
 * A text as a sort key: without case and accents, and in ASCII, so that DynamoDB and this code order it alike. Texts
 * that become equal are distinguished by the record id that follows them.
 */
export const sortText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^ -~]/g, '~')
    .slice(0, 200);
