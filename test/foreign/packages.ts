// The packages of npm that others wrote and that we try. None is a dependency. Only their own hashes are compared: what they depend on is
// whatever npm finds.
import type { FetchedPackage } from '../platforms/fetched-packages.js';

/** Some generators use the compiler, and fail with the one that npm finds by itself. */
const COMPILER = ['typescript@5.9.3'];

const packages = {
  newman: {
    version: '6.2.2',
    integrity: 'sha512-BmGzMz6f2FLtw/hHAbhEAVqXS+3APJGAWzlxVijSElFaxC37wpHEqsOB09d/2uHMvTyMXGArtbFa+z5m/a68Uw==',
  },
  'openapi-to-postmanv2': {
    version: '6.3.3',
    integrity: 'sha512-o0u6qqMMRLt7eAyFBpL/lCresQ1VqQFGe6/iPMBvNkWDXrpgGo5jo+YnP1e0MwF3tdUKLfkHssufGWMdojpPLg==',
  },
  '@hey-api/openapi-ts': {
    version: '0.99.0',
    integrity: 'sha512-SePU/5oEWWkvUBYmvzdYRctseoLuskyhs4ET0RvLIcmzc8yLQoA2R+KtBIQ8bPsoSUB0m4E5SmBnl6aGSA0szQ==',
    beside: COMPILER,
  },
  orval: {
    version: '8.38.0',
    integrity: 'sha512-dsYh4smzI1PeRB2GY26xpL4j3Ss5h/ORI9gG8ueD3MtnoHY5KKLVMBc5UGi1tL+AEZLOLtG9JksUPwgWSdOv2g==',
  },
  'swagger-typescript-api': {
    version: '13.13.0',
    integrity: 'sha512-4CEj48R1Kk3Zvul4c8NVeLOUQ86WIRq1MgqRaB12jKI70IT/UUc4/xn+vd9pWK+I8eRALX2UnUI1ld0YQHn16A==',
  },
  '@asyncapi/modelina': {
    version: '5.10.1',
    integrity: 'sha512-mvk77+ls2ia+w3uQftJ7s6/Yid4lO+1IgbTkJ94mGSV9Qqk1n+ln5dz2snccARI5ubdy3ofKb3QP2Dq/OGeH8A==',
  },
  '@modelcontextprotocol/sdk': {
    version: '1.32.2',
    integrity: 'sha512-SWsVtH/0vULSQStoZ6xxH2K09Li8fXYTMC64ZeogCdpZ3XSi1eCPOByV1OpuJxuI3OcmHhosDWYyii07tpPsLw==',
  },
  eventsource: {
    version: '5.1.5',
    integrity: 'sha512-Z41ZPzy7CM1NgAKgrG6pzPdOSimaly20ZY3+6opMQw/VEso+xhPWX4asJT2WAX8zPyFitV3C1+WJMWSLKSlAWg==',
  },
  undici: {
    version: '8.13.1',
    integrity: 'sha512-Kt7EaPjh0s93lJH/PmW3d5rhkcpUa6fS3jqZ7+YGxNd9L7Xy/i827xe4C2uhhq+pJebM4tQOl5AgHmW11G5Skg==',
  },
  autocannon: {
    version: '9.0.0',
    integrity: 'sha512-hUIWSNtxPEdvFFz/ZGzvoCkfN4Pw9RZBXr4zT95Ff8lEUUvUMB9BnOdjW3lwlCZfpY/US2fWUjZ5+GTtcJKjIQ==',
  },
  artillery: {
    version: '2.0.34',
    integrity: 'sha512-I+Ubmnr1DN5jb93t5SeZ0BCns8ea8GdeppKErsTajyjNihjSqSKUc4nmN/X0vq99mBKOZfB3TAUwniC9FfeLOg==',
  },
} as const satisfies Readonly<Record<string, Omit<FetchedPackage, 'name'>>>;

export type PackageName = keyof typeof packages;

export function foreignPackage(name: PackageName): FetchedPackage {
  return { name, ...packages[name] };
}
