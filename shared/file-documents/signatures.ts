// What is used of the package, in a module of its own: all of a package that is imported late is kept in the bundle.
export { fileTypeFromBuffer } from 'file-type/core';
