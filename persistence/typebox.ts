// The library of schemas, as one module. Its package is more than 500 files, which take as long to load as all the rest of the server:
// the build makes this module one file that holds them (tools/build.mjs). Types may be imported from the package itself.
export { default as Type } from 'typebox';
export { Compile } from 'typebox/compile';
export { default as Format } from 'typebox/format';
