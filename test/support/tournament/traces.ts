// A trace of two lines: a read, and a command that was refused.

const TURN = { turn: 1, worldTime: '2000-01-01T00:00:00.000Z' };

export const READ_LINE = {
  ...TURN,
  wokenBy: { reason: 'wish', type: null, seq: null, playerId: null },
  ...{ requestId: 'a-000', method: 'GET', path: '/api/turn', status: 200, answerLength: 300, ms: 0.2 },
};
export const REFUSED_LINE = {
  ...TURN,
  ...{ requestId: 'a-001', method: 'POST', path: '/api/research', body: { researchType: 'mining' } },
  ...{ status: 409, code: 'research_in_progress', answer: { detail: 'A research is in progress.' }, ms: 1 },
};
