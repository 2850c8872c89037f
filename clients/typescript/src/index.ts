// What the package exports.
export type { components, operations, paths } from './api.js';
export { type Operation, operation, type Result, type ResultsOf } from './batch.js';
export type { BodyOf, CallOptions, PathOf } from './calls.js';
export { type BatchOptions, type ClientOptions, GalaxydClient, type Reply, type WaitOptions } from './client.js';
export { GalaxydProblem, NoReply, type Problem } from './errors.js';
export { type Amounts, affordableAt, earliest, type Producing, type Resource, stockAt } from './planning.js';
