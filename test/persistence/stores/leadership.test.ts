// The lease of a world in memory keeps the contract of every shared store. That of PostgreSQL is in postgres-store.test.ts.
import t from 'tap';
import { noLease } from '../../support/stores/memory-leadership.js';
import { MemoryStore, noContent } from '../../support/stores/memory-store.js';
import { testLeadershipContract } from './leadership-contract.js';

await testLeadershipContract(t, async () => {
  const content = noContent(noLease());
  return () => new MemoryStore(content);
});
