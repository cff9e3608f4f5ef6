/* @generated from openapi/openapi.json by `npm run api`: do not edit. */

const Ack = { 'errorCode?': 'string', 'errorMessage?': 'string', succeeded: 'boolean' } as const;
const Authenticated = { socketId: 'string', 'userId?': 'string' } as const;
const GameMove = { at: 'integer', col: 'integer', row: 'integer', symbol: 'string' } as const;
const PlayerRating = { provisional: 'boolean', value: 'integer' } as const;
const GamePlayer = {
  'absentUntil?': 'integer',
  connected: 'boolean',
  displayName: 'string',
  'isBot?': 'boolean',
  'profileUrl?': 'string',
  'rating?': PlayerRating,
  symbol: 'string',
  'timeLeftMs?': 'integer',
  timeUsedMs: 'integer',
  userId: 'string',
  username: 'string',
} as const;
const RatingChange = { after: 'integer', before: 'integer', provisional: 'boolean', userId: 'string' } as const;
const GameState = {
  board: [['string']],
  boardSize: 'integer',
  clock: 'string',
  createdAt: 'string',
  'currentTurn?': 'string',
  'decision?': 'string',
  drawCount: 'integer',
  'endedAt?': 'string',
  eventId: 'string',
  'forfeiter?': 'string',
  gameId: 'string',
  gameType: 'string',
  initiatorUserId: 'string',
  'inviteToken?': 'string',
  isDraw: 'boolean',
  level: 'integer',
  moves: [GameMove],
  'nextGameBy?': 'string',
  'nextGameId?': 'string',
  notify: 'boolean',
  players: [GamePlayer],
  'rated?': 'boolean',
  'ratingChanges?': [RatingChange],
  'reason?': 'string',
  serverTime: 'integer',
  status: 'string',
  'turnDeadline?': 'integer',
  version: 'integer',
  'winner?': 'string',
  'winnerUserId?': 'string',
  'winningLine?': [['integer']],
} as const;
const GameJoined = {
  'error?': 'string',
  gameId: 'string',
  'gameState?': GameState,
  'message?': 'string',
  'previousGameId?': 'string',
  success: 'boolean',
  'watchers?': 'integer',
} as const;
const GameStarted = { gameId: 'string', gameState: GameState } as const;
const GameError = { error: 'string', 'gameId?': 'string' } as const;
const MoveUpdate = {
  'absentUntil?': 'integer',
  board: [['string']],
  col: 'integer',
  gameId: 'string',
  gameStatus: 'string',
  isDraw: 'boolean',
  'nextTurn?': 'string',
  row: 'integer',
  serverTime: 'integer',
  symbol: 'string',
  'timesLeftMs?': ['integer'],
  'timesUsedMs?': ['integer'],
  'turnDeadline?': 'integer',
  userId: 'string',
  version: 'integer',
  'winner?': 'string',
  'winningLine?': [['integer']],
} as const;
const MoveRejected = {
  col: 'integer',
  error: 'string',
  errorCode: 'string',
  gameId: 'string',
  row: 'integer',
  'version?': 'integer',
} as const;
const TournamentLoser = { isEliminated: 'boolean', userId: 'string' } as const;
const TournamentWinner = { userId: 'string' } as const;
const TournamentResult = { loser: TournamentLoser, winner: TournamentWinner } as const;
const GameEnd = {
  'decision?': 'string',
  eventId: 'string',
  forfeit: 'boolean',
  'forfeiter?': 'string',
  gameId: 'string',
  gameType: 'string',
  isDraw: 'boolean',
  message: 'string',
  reason: 'string',
  'tournamentResult?': TournamentResult,
  version: 'integer',
  'winner?': 'string',
  'winnerUserId?': 'string',
  'winningLine?': [['integer']],
} as const;
const GameDraw = { gameId: 'string', message: 'string', 'newGameState?': GameState, version: 'integer' } as const;
const OpponentDisconnected = {
  'absentUntil?': 'integer',
  countdown: 'integer',
  gameId: 'string',
  userId: 'string',
} as const;
const OpponentReconnected = { gameId: 'string', userId: 'string' } as const;
const GameCancelled = {
  gameId: 'string',
  message: 'string',
  reason: 'string',
  success: 'boolean',
  'userId?': 'string',
} as const;
const GameInviter = {
  displayName: 'string',
  'isBot?': 'boolean',
  'profileUrl?': 'string',
  userId: 'string',
  username: 'string',
} as const;
const GamePlayerRef = {
  displayName: 'string',
  'isBot?': 'boolean',
  'profileUrl?': 'string',
  'rating?': PlayerRating,
  userId: 'string',
  username: 'string',
} as const;
const Game = {
  boardSize: 'integer',
  clock: 'string',
  createdAt: 'string',
  'currentTurn?': 'string',
  drawCount: 'integer',
  'endedAt?': 'string',
  eventId: 'string',
  gameId: 'string',
  gameType: 'string',
  initiatorUserId: 'string',
  'inviteToken?': 'string',
  isDraw: 'boolean',
  'isOwn?': 'boolean',
  level: 'integer',
  'moveCount?': 'integer',
  notify: 'boolean',
  players: [GamePlayerRef],
  'rated?': 'boolean',
  'reason?': 'string',
  status: 'string',
  'watchers?': 'integer',
  'winnerUserId?': 'string',
  yourTurn: 'boolean',
} as const;
const GameInvitation = { from: GameInviter, game: Game } as const;
const PlayerReaction = { gameId: 'string', reaction: 'string', userId: 'string' } as const;
const RematchOffer = { gameId: 'string', nextGameId: 'string', offeredBy: 'string', state: 'string' } as const;
const Suspension = { at: 'string', reason: 'string', 'until?': 'string' } as const;
const CheckLoginActivity = { 'suspension?': Suspension } as const;
const ErrorMessage = { errorCode: 'string', 'event?': 'string', message: 'string' } as const;
const StillThere = { eventId: 'string', maxStrikes: 'integer', reason: 'string', strikes: 'integer' } as const;
const Player = {
  displayName: 'string',
  'email?': 'string',
  eventId: 'string',
  'isBot?': 'boolean',
  isEliminated: 'boolean',
  'isRemoved?': 'boolean',
  level: 'integer',
  losses: 'integer',
  'profileUrl?': 'string',
  'rank?': 'integer',
  userId: 'string',
  username: 'string',
  wins: 'integer',
} as const;
const EventJoined = {
  'absence?': StillThere,
  eventId: 'string',
  player: Player,
  queueSize: 'integer',
  'stillThere?': 'boolean',
} as const;
const QueueState = {
  'endsAt?': 'integer',
  eventId: 'string',
  playing: 'integer',
  queueSize: 'integer',
  'reason?': 'string',
  waitedMs: 'integer',
} as const;
const Opponent = {
  displayName: 'string',
  'isBot?': 'boolean',
  level: 'integer',
  'profileUrl?': 'string',
  'rating?': PlayerRating,
  userId: 'string',
  username: 'string',
} as const;
const QuickMatchFound = {
  boardSize: 'integer',
  'casualBecause?': 'string',
  clock: 'string',
  rated: 'boolean',
} as const;
const PlayerFound = {
  'eventId?': 'string',
  gameId: 'string',
  opponent: Opponent,
  'quickMatch?': QuickMatchFound,
  redirectInMs: 'integer',
  'unratedBecause?': 'string',
} as const;
const MatchmakingCancelled = { eventId: 'string', message: 'string', redirectInMs: 'integer' } as const;
const QuickMatchStatus = { playing: 'integer', waitedMs: 'integer', waiting: 'integer', window: 'integer' } as const;
const QuickMatchEnded = { message: 'string' } as const;
const RatingChanged = { gameId: 'string', players: [RatingChange] } as const;
const RedirectToGame = { gameId: 'string', redirectInMs: 'integer' } as const;
const RefreshLeaderboard = { eventId: 'string' } as const;
const RoundPaired = { eventId: 'string', round: 'integer' } as const;
const RoundEnded = { eventId: 'string', round: 'integer' } as const;
const StandingsChanged = { eventId: 'string' } as const;
const EventStateChanged = { eventId: 'string', eventState: 'string' } as const;
const RemovedFromRoom = { eventId: 'string', message: 'string' } as const;
const EventAnnouncement = { at: 'string', eventId: 'string', message: 'string', title: 'string' } as const;
const EventReminder = { 'checkIn?': 'boolean', eventId: 'string', minutes: 'integer', title: 'string' } as const;
const EventNews = {
  'endTime?': 'string',
  eventId: 'string',
  news: 'string',
  'reason?': 'string',
  'startTime?': 'string',
  title: 'string',
} as const;
const PlayerPresence = { presence: 'string', userId: 'string' } as const;
const PresenceChanged = { eventId: 'string', players: [PlayerPresence] } as const;
const Winner = {
  displayName: 'string',
  'isBot?': 'boolean',
  level: 'integer',
  'profileUrl?': 'string',
  userId: 'string',
  username: 'string',
  wins: 'integer',
} as const;
const EventConcluded = { eventId: 'string', winners: [Winner] } as const;
const ServerDraining = { reconnectInMs: 'integer' } as const;
const LogEntry = {
  _id: 'string',
  'claimed?': ['string'],
  'context?': 'string',
  'fileName?': 'string',
  level: 'string',
  logId: 'string',
  message: 'string',
  platform: 'string',
  'requestId?': 'string',
  service: 'string',
  'sessionId?': 'string',
  'stack?': 'string',
  timestamp: 'string',
  'userId?': 'string',
} as const;
const LiveGamesChanged = { ended: ['string'], games: [Game], serverTime: 'string' } as const;
const LiveBoard = {
  boardSize: 'integer',
  cells: 'string',
  'currentTurn?': 'string',
  drawCount: 'integer',
  gameId: 'string',
  'lastMove?': ['integer'],
  status: 'string',
  version: 'integer',
  watchers: 'integer',
  'winnerUserId?': 'string',
  'winningLine?': [['integer']],
} as const;
const LiveGame = { board: LiveBoard, game: Game } as const;
const LiveNow = { boards: [LiveBoard], games: [LiveGame], order: ['string'], total: 'integer' } as const;
const WatchersChanged = { gameId: 'string', watchers: 'integer' } as const;

/** What each frame of the server carries; see `fits`. */
export const FRAMES = {
  ack: Ack,
  authenticated: Authenticated,
  gameJoined: GameJoined,
  gameStarted: GameStarted,
  gameError: GameError,
  moveUpdate: MoveUpdate,
  moveRejected: MoveRejected,
  gameEnd: GameEnd,
  gameDraw: GameDraw,
  opponentDisconnected: OpponentDisconnected,
  opponentReconnected: OpponentReconnected,
  gameCancelled: GameCancelled,
  gameInvitation: GameInvitation,
  reaction: PlayerReaction,
  rematchOffer: RematchOffer,
  'check-everone-login-activity': CheckLoginActivity,
  error: ErrorMessage,
  eventJoined: EventJoined,
  matchmakingStarted: QueueState,
  queueUpdate: QueueState,
  playerFound: PlayerFound,
  matchmakingCancelled: MatchmakingCancelled,
  quickMatchStatus: QuickMatchStatus,
  quickMatchEnded: QuickMatchEnded,
  ratingChanged: RatingChanged,
  redirectToGame: RedirectToGame,
  refreshLeaderboard: RefreshLeaderboard,
  roundPaired: RoundPaired,
  roundEnded: RoundEnded,
  standingsChanged: StandingsChanged,
  eventStateChanged: EventStateChanged,
  stillThere: StillThere,
  removedFromRoom: RemovedFromRoom,
  eventAnnouncement: EventAnnouncement,
  eventReminder: EventReminder,
  eventNews: EventNews,
  presenceChanged: PresenceChanged,
  eventConcluded: EventConcluded,
  serverDraining: ServerDraining,
  logAppended: LogEntry,
  liveGamesChanged: LiveGamesChanged,
  liveNow: LiveNow,
  watchersChanged: WatchersChanged,
} as const;
