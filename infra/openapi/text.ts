/** `downstreamEntityAssociation` as a reader writes it. */
export const words = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A sentence's first letter in upper case. */
export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
