/** Orders texts as DynamoDB orders keys in ASCII, for `sort`: negative, 0, or positive. */
export const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
