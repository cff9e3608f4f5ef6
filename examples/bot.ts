/**
 * A bot that accepts every invitation, wins where it can, blocks where it must, and plays again whenever it is asked. Node 22.18 or
 * later runs it directly, without dependencies:
 *
 *     MORPION_TOKEN=morpion_pat_… node bot.ts https://play.example.org [USER_ID [GAMES]]
 *
 * The token needs the scope `play`: settings, Security, Programs. With a USER_ID it invites that user to GAMES games (default 1).
 */
type Board = string[][];
type State = { gameId: string; board: Board; version: number; nextTurn?: string; currentTurn?: string };

const [, , address = '', rival, games = '1'] = process.argv;
const headers = { Authorization: `Bearer ${process.env.MORPION_TOKEN}`, 'Content-Type': 'application/json' };
// An option of Node's WebSocket. A page in a browser cannot send the token, and should not have one.
const url = `${address.replace('http', 'ws')}/api/backend/realtime`;
const socket = new WebSocket(url, { headers } as unknown as string[]);
const send = (event: string, data: object) => socket.send(JSON.stringify({ event, data }));
// A server takes 20 invitations a minute.
const pause = 1_000 * Number(process.env.PAUSE ?? 3);
let me = '';
let left = Number(games);

/** Whether this mark completes a line here: three in a row, four on larger boards. */
function completes(board: Board, row: number, col: number, mark: string): boolean {
  const run = (down: number, right: number): number =>
    board[row + down]?.[col + right] === mark ? 1 + run(down + Math.sign(down), right + Math.sign(right)) : 0;
  const lines = [[0, 1], [1, 0], [1, 1], [1, -1]] as const;
  return lines.some(([down, right]) => run(down, right) + run(-down, -right) + 1 >= Math.min(board.length, 4));
}

function best(board: Board, theirs: string): [number, number] | undefined {
  const free = board.flatMap((cells, row) => cells.flatMap((cell, col): [number, number][] => (cell ? [] : [[row, col]])));
  const mine = theirs === 'X' ? 'O' : 'X';
  const [win, block] = [mine, theirs].map((mark) => free.find(([row, col]) => completes(board, row, col, mark)));
  return win ?? block ?? free[(left * 7 + free.length) % free.length];
}

socket.onmessage = async ({ data: text }) => {
  const { event, data } = JSON.parse(String(text));
  const state: State = data.newGameState ?? data.gameState ?? data;
  if (event === 'authenticated') {
    me = data.userId;
    console.log('connected');
    const body = JSON.stringify({ players: [{ userId: me }, { userId: rival }], gameType: 'invite' });
    const made = rival && (await fetch(`${address}/api/backend/game/create_game`, { method: 'POST', headers, body }));
    if (made) send('joinGame', { gameId: (await made.json()).game.gameId });
  } else if (event === 'gameInvitation') send('joinGame', { gameId: data.game.gameId });
  else if (['gameStarted', 'gameDraw', 'moveUpdate'].includes(event) && (state.nextTurn ?? state.currentTurn) === me) {
    // Who moved last; on an empty board nobody did.
    const [row, col] = best(state.board, data.symbol ?? 'X') ?? [0, 0];
    // A server closes sockets that send more than 40 frames a second.
    setTimeout(() => send('makeMove', { gameId: state.gameId, row, col, version: state.version }), 50);
  } else if (event === 'gameEnd' || (event === 'gameDraw' && !state.currentTurn)) {
    console.log(data.winnerUserId === me ? 'won' : 'over', data.gameId);
    if (rival && --left === 0) socket.close();
    else if (rival) setTimeout(() => send('playAgain', { gameId: data.gameId }), pause);
    else send('leaveGameRoom', { gameId: data.gameId });
  } else if (['error', 'gameError', 'moveRejected'].includes(event)) console.error(event, data);
};
