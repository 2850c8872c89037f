// The schema library as one module. Its package has more than 500 files, which take as long to load as the rest of the
// server, so the build bundles them into this one file (tools/build.mjs). Types may be imported from the package
// itself.
export { default as Type } from 'typebox';
export { Compile } from 'typebox/compile';
export { default as Format } from 'typebox/format';
