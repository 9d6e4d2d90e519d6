'use strict';
// Replays a long board game and reports how the balance of power moved.

const crypto = require('node:crypto');

const SIZE = 24;

function freshBoard() {
  const pieces = [];
  for (let id = 0; id < SIZE * 4; id++) {
    pieces.push({
      id,
      owner: id % 2 ? 'black' : 'white',
      at: { x: (id * 7) % SIZE, y: Math.floor(id / 4) % SIZE },
      stats: { power: 3 + (id % 5), health: 20, moved: 0 },
      tags: id % 6 === 0 ? ['leader', 'slow'] : ['pawn'],
    });
  }
  return { turn: 0, pieces };
}

function* moves(count) {
  let state = 99;
  for (let n = 0; n < count; n++) {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    yield { piece: (state >> 8) % (SIZE * 4), dx: (state % 3) - 1, dy: ((state >> 4) % 3) - 1 };
  }
}

function apply(board, move) {
  const piece = board.pieces[move.piece];
  piece.at.x = (piece.at.x + move.dx + SIZE) % SIZE;
  piece.at.y = (piece.at.y + move.dy + SIZE) % SIZE;
  piece.stats.moved += 1;
  if (piece.stats.moved % 9 === 0) piece.stats.health -= 1;
  board.turn += 1;
}

function snapshot(board, move) {
  const piece = board.pieces[move.piece];
  return { turn: board.turn, pieces: [{ id: piece.id, at: { ...piece.at }, stats: { ...piece.stats } }] };
}

class Timeline {
  constructor(keep) {
    this.keep = keep;
    this.frames = [];
    this.seen = 0;
  }

  record(frame) {
    this.seen += 1;
    this.frames.push(frame);
    if (this.frames.length > this.keep) this.frames.shift();
  }

  lastTurns() {
    return this.frames.map((frame) => frame.turn);
  }
}

function balance(board) {
  let white = 0;
  let black = 0;
  for (const piece of board.pieces) {
    const worth = piece.stats.power * piece.stats.health + (piece.tags.includes('leader') ? 50 : 0);
    if (piece.owner === 'white') white += worth;
    else black += worth;
  }
  return white - black;
}

function replay(count) {
  const board = freshBoard();
  const timeline = new Timeline(30);
  const curve = [];
  for (const move of moves(count)) {
    apply(board, move);
    timeline.record(snapshot(board, move));
    curve.push(balance(board));
  }
  return { board, timeline, curve };
}

function main() {
  const count = Number(process.argv[2] || 300);
  const { board, timeline, curve } = replay(count);
  const hash = crypto.createHash('sha1').update(curve.join(',')).update(timeline.lastTurns().join(','));
  console.log('moves', board.turn, 'frames', timeline.seen, 'low', Math.min(...curve.slice(-1000)), hash.digest('hex').slice(0, 12));
}

main();
