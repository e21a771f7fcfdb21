// A module of its own for the two functions that are used: a package that is imported dynamically is bundled whole.
export { fileTypeFromBuffer } from 'file-type';
