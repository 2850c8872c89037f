// fast-check with the seed of the tests: short tests look at the same cases each time.
import fc from 'fast-check';
import { TEST_SEED } from './process/draws.js';

fc.configureGlobal({ seed: TEST_SEED });

export default fc;
