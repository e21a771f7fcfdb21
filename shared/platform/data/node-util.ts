// An `import` of node:util makes all that it exports, parsers of arguments and threads among them: a twentieth of a function's start.
export const { isDeepStrictEqual, promisify } = process.getBuiltinModule('node:util');
