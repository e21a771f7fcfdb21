// A module of its own for the one function that is used: a package that is imported dynamically is bundled whole.
export { fileTypeFromBuffer } from 'file-type';
