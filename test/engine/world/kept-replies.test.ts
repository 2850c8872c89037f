// Kept replies: their bounds, which of them go first, and that they are state like any other.

import t from 'tap';
import { decodeCommand, encodeCommand } from '../../../engine/commands/table.js';
import { ROW_KINDS } from '../../../engine/rows/world-rows.js';
import {
  KEPT_REPLIES_PER_PLAYER_MAX,
  KEPT_REPLY_BYTES_MAX,
  KEPT_REPLY_BYTES_OF_WORLD_MAX,
  KEPT_REPLY_BYTES_PER_PLAYER_MAX,
  KEPT_REPLY_OVERHEAD_BYTES,
} from '../../../engine/rules/limits.js';
import {
  canKeep,
  KeptReplies,
  type KeptReply,
  keptReplyBytes,
  PUBLIC_SCOPE,
  WORLD_SCOPE,
} from '../../../engine/world/kept-replies.js';
import { keep } from '../../support/command-words.js';
import fc from '../../support/properties.js';
import { NOBODY, openScene, replay } from '../../support/world-story.js';

const kept = (seq: number, scope: number, reply = 'x'): KeptReply => ({
  seq,
  scope,
  keyDigest: `key-${seq}`,
  requestDigest: `request-${seq}`,
  status: 200,
  form: 0,
  reply,
});

const seqsOf = (replies: KeptReplies): number[] => [...replies.inOrder()].map(({ seq }) => seq);
/** The longest text that a player can keep. */
const LONGEST = 'x'.repeat(KEPT_REPLY_BYTES_PER_PLAYER_MAX - KEPT_REPLY_OVERHEAD_BYTES);

t.test('a kept reply is found by its player and its key', async (t) => {
  const { story, human, bot } = openScene();
  story.does(keep(human, 'one', 'first'));
  story.does(keep(bot, 'one', 'second'));
  story.does(keep({ number: WORLD_SCOPE }, 'one', 'third'));
  const { keptReplies } = story.world;
  const found = (scope: number, key: string): string | undefined => keptReplies.find(scope, key)?.reply;
  t.same(
    [human.number, bot.number, WORLD_SCOPE].map((scope) => found(scope, 'one')),
    ['first', 'second', 'third'],
  );
  t.equal(found(human.number, 'two'), undefined);
  t.equal(found(NOBODY.number, 'one'), undefined);
  t.equal(found(-1, 'one'), undefined);
  t.equal(keptReplies.find(bot.number, 'one')?.seq, story.engine.seq - 1, 'with the seq of its entry');
});

t.test('kept replies are in the rows after all players, in order of seq, and in the hash', async (t) => {
  const { story, human, bot } = openScene();
  const before = story.engine.stateHash();
  story.does(keep(bot, 'a', 'first'));
  story.does(keep(human, 'b', 'second'));
  const rows = [...story.engine.rows()];
  const at = rows.findIndex(([kind]) => kind === ROW_KINDS.kept_reply);
  t.same(
    rows
      .filter(([kind], index) => index >= at && kind === ROW_KINDS.kept_reply)
      .map(([kind, seq, scope, key, request, status, form, reply]) => [
        kind,
        seq,
        scope,
        key,
        request,
        status,
        form,
        reply,
      ]),
    [
      [ROW_KINDS.kept_reply, story.engine.seq - 1, bot.number, 'a', 'a-request', 200, 0, 'first'],
      [ROW_KINDS.kept_reply, story.engine.seq, human.number, 'b', 'b-request', 200, 0, 'second'],
    ],
  );
  t.not(story.engine.stateHash(), before);
  t.equal(replay(story.entries).stateHash(), story.engine.stateHash(), 'a replay keeps the same');
});

t.test('keeping a reply touches nothing that a player can see', async (t) => {
  const { story, human } = openScene();
  const seqBefore = human.changedSeq;
  story.does(keep(human, 'a', 'reply'));
  t.equal(human.changedSeq, seqBefore);
});

t.test('the entry of a kept reply comes back from disk as it was', async (t) => {
  const command = { ...keep({ number: 7 }, 'k', '{"name":"Zoë"}'), form: 2, status: 201 };
  t.same(decodeCommand(encodeCommand(command)), command);
  t.equal(encodeCommand(command)[0], 16);
});

t.test('a player keeps its newest replies, by number', async (t) => {
  const replies = new KeptReplies();
  for (let seq = 1; seq <= KEPT_REPLIES_PER_PLAYER_MAX + 3; seq += 1) replies.add(kept(seq, 1));
  t.equal(replies.count, KEPT_REPLIES_PER_PLAYER_MAX);
  t.equal(seqsOf(replies)[0], 4);
  t.equal(replies.find(1, 'key-3'), undefined);
  t.equal(replies.find(1, 'key-4')?.seq, 4);
});

t.test('a player keeps its newest replies, by bytes', async (t) => {
  const replies = new KeptReplies();
  replies.add(kept(1, 1));
  replies.add(kept(2, 1));
  replies.add(kept(3, 1, LONGEST));
  t.same(seqsOf(replies), [3]);
  t.equal(replies.byteCount, KEPT_REPLY_BYTES_PER_PLAYER_MAX);
  replies.add(kept(4, 1));
  t.same(seqsOf(replies), [4]);
});

t.test('replies that belong to no player have room of their own, and no bound in number', async (t) => {
  const replies = new KeptReplies();
  replies.add(kept(1, 1, LONGEST));
  const count = KEPT_REPLY_BYTES_OF_WORLD_MAX / keptReplyBytes(LONGEST);
  for (let seq = 2; seq < 2 + count; seq += 1) replies.add(kept(seq, WORLD_SCOPE, LONGEST));
  t.equal(replies.count, 1 + count);
  replies.add(kept(2 + count, WORLD_SCOPE));
  t.same(seqsOf(replies).slice(0, 2), [1, 3], "its own oldest goes, and not a player's");
});

t.test('across all players the oldest go first', async (t) => {
  const replies = new KeptReplies();
  const count = KEPT_REPLY_BYTES_MAX / KEPT_REPLY_BYTES_PER_PLAYER_MAX;
  for (let seq = 1; seq <= count; seq += 1) replies.add(kept(seq, seq, LONGEST));
  t.equal(replies.byteCount, KEPT_REPLY_BYTES_MAX);
  t.equal(replies.count, count);
  replies.add(kept(count + 1, count + 1));
  t.equal(replies.count, count);
  t.equal(replies.find(1, 'key-1'), undefined);
  replies.add(kept(count + 2, 1));
  t.equal(replies.find(1, `key-${count + 2}`)?.scope, 1, 'a player that lost all its replies can keep new ones');
});

t.test('one player alone never pushes out the replies of others', async (t) => {
  const replies = new KeptReplies();
  replies.add(kept(1, 1));
  for (let seq = 2; seq < 10_000; seq += 1) replies.add(kept(seq, 2, 'x'.repeat(seq % 5_000)));
  t.equal(replies.find(1, 'key-1')?.seq, 1);
});

t.test('a text counts about what it takes in memory', async (t) => {
  t.equal(keptReplyBytes('ab'), KEPT_REPLY_OVERHEAD_BYTES + 2);
  t.equal(keptReplyBytes('ÿÿ'), KEPT_REPLY_OVERHEAD_BYTES + 2);
  t.equal(keptReplyBytes('aĀ'), KEPT_REPLY_OVERHEAD_BYTES + 4);
  t.ok(canKeep(1, LONGEST));
  t.notOk(canKeep(1, `${LONGEST}x`));
  t.notOk(canKeep(1, LONGEST.replace('x', 'Ā')));
  t.ok(canKeep(WORLD_SCOPE, `${LONGEST}x`));
  t.notOk(canKeep(WORLD_SCOPE, 'x'.repeat(KEPT_REPLY_BYTES_OF_WORLD_MAX)));
});

t.test('a key in use, an older seq, too long a text or an unknown player breaks an invariant', async (t) => {
  const replies = new KeptReplies();
  replies.add(kept(5, 1));
  t.throws(() => replies.add({ ...kept(6, 1), keyDigest: 'key-5' }), { message: /already has a kept reply/ });
  t.throws(() => replies.add(kept(5, 2)), { message: /in order of seq/ });
  t.throws(() => replies.add(kept(6, 1, `${LONGEST}x`)), { message: /too long/ });
  t.same(seqsOf(replies), [5], 'and nothing has changed');
  t.throws(() => openScene().story.does(keep(NOBODY, 'a', 'reply')), { message: /no player/ });
});

t.test('they agree with a plain list after every addition', async (t) => {
  const addition = fc.record({ scope: fc.nat(3), length: fc.oneof(fc.nat(300), fc.nat(LONGEST.length)) });
  fc.assert(
    fc.property(fc.array(addition, { maxLength: 300 }), (additions) => {
      const replies = new KeptReplies();
      let plain: KeptReply[] = [];
      for (const [index, { scope, length }] of additions.entries()) {
        const added = kept(index + 1, scope, 'x'.repeat(length));
        replies.add(added);
        plain.push(added);
        if (scope !== WORLD_SCOPE) plain = withoutTooOld(plain, scope);
        if (replies.find(scope, added.keyDigest) !== added) return false;
      }
      const bytes = plain.reduce((sum, { reply }) => sum + keptReplyBytes(reply), 0);
      const isSame = String(seqsOf(replies)) === String(plain.map(({ seq }) => seq));
      return isSame && replies.count === plain.length && replies.byteCount === bytes;
    }),
  );
  t.end();
});

/** The simplest way: drops the oldest of a player while there are too many, or too many bytes. */
function withoutTooOld(all: readonly KeptReply[], scope: number): KeptReply[] {
  const isTooMuch = (own: readonly KeptReply[]): boolean =>
    own.length > KEPT_REPLIES_PER_PLAYER_MAX ||
    own.reduce((sum, { reply }) => sum + keptReplyBytes(reply), 0) > KEPT_REPLY_BYTES_PER_PLAYER_MAX;
  let rest = [...all];
  for (;;) {
    const own = rest.filter((one) => one.scope === scope);
    if (!isTooMuch(own)) return rest;
    rest = rest.filter((one) => one !== own[0]);
  }
}

t.test('unauthenticated batches share a list, in which no reply is longer than a player may keep', async (t) => {
  const replies = new KeptReplies();
  replies.add(kept(2, WORLD_SCOPE));
  t.notOk(canKeep(PUBLIC_SCOPE, `${LONGEST}x`));
  t.throws(() => replies.add(kept(3, PUBLIC_SCOPE, `${LONGEST}x`)), /too long/);
  const count = KEPT_REPLY_BYTES_OF_WORLD_MAX / KEPT_REPLY_BYTES_PER_PLAYER_MAX;
  for (let seq = 3; seq <= 3 + count; seq += 1) replies.add(kept(seq, PUBLIC_SCOPE, LONGEST));
  t.equal(replies.count, 1 + count, 'the oldest of them was dropped');
  t.ok(
    [...replies.inOrder()].some(({ scope }) => scope === WORLD_SCOPE),
    'and none of the operator',
  );
});
