import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EngineClient, EngineUnavailable, type WorkerLike } from './client.ts';
import { emptyPosition, positionAfter } from './position.ts';
import type { FromWorker, Results, ToWorker } from './protocol.ts';
import type { ReviewedMove } from './review.ts';
import { EngineService } from './service.ts';
import { REFERENCE_AI } from './referenceAi.ts';

/** A worker in this thread; messages pass through the task queue, as with a real one. */
class InProcessWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  terminated = false;
  readonly heard: ToWorker[] = [];
  private readonly service = new EngineService({
    send: (data: FromWorker) =>
      setTimeout(() => {
        if (!this.terminated) this.onmessage?.({ data: structuredClone(data) } as MessageEvent<FromWorker>);
      }),
    later: (step) => setTimeout(() => this.terminated || step()),
    now: () => performance.now(),
  });

  postMessage(message: ToWorker): void {
    this.heard.push(message);
    const copy = structuredClone(message);
    setTimeout(() => this.terminated || this.service.receive(copy));
  }

  terminate(): void {
    this.terminated = true;
  }
}

/** One that never responds, like one that is stuck or was terminated by the browser. */
class SilentWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  terminated = false;
  readonly heard: ToWorker[] = [];

  postMessage(message: ToWorker): void {
    this.heard.push(message);
  }

  terminate(): void {
    this.terminated = true;
  }
}

/** One whose script cannot be loaded. */
class BrokenWorker extends SilentWorker {
  override postMessage(message: ToWorker): void {
    super.postMessage(message);
    setTimeout(() => this.onerror?.({} as ErrorEvent));
  }
}

function sequence(...workers: WorkerLike[]): () => WorkerLike {
  return () => {
    const next = workers.shift();
    if (!next) throw new Error('no more workers');
    return next;
  };
}

describe('the client', () => {
  it('requests moves, values, lines and reviews', async () => {
    const client = new EngineClient(() => new InProcessWorker());
    const position = positionAfter(3, [0, 3, 1, 4]);
    expect(await client.chooseMove(position, 'perfect')).toMatchObject({ cell: 2, fallback: false, value: 'win' });
    expect(await client.solve(position)).toMatchObject({ value: 'win', best: [2], plies: 1 });
    expect(await client.line(position)).toEqual([2]);
    const done: ReviewedMove[] = [];
    const review = await client.review(3, [0, 4, 8], { onProgress: (move) => done.push(move) });
    expect(review.moves).toHaveLength(3);
    expect(done).toEqual(review.moves);
    client.dispose();
  });

  it('passes the seed on', async () => {
    const client = new EngineClient(() => new InProcessWorker());
    const moves = await Promise.all([1, 1].map((seed) => client.chooseMove(emptyPosition(4), 'easy', { seed })));
    expect(moves[0]!.cell).toBe(moves[1]!.cell);
    client.dispose();
  });

  it('reports what the engine refuses', async () => {
    const client = new EngineClient(() => new InProcessWorker());
    await expect(client.solve(positionAfter(3, [0, 3, 1, 4, 2]))).rejects.toThrow('the game is over');
    await expect(client.review(3, [4, 4])).rejects.toThrow('that cell is taken');
    await expect(client.chooseMove(positionAfter(3, [0, 3, 1, 4, 2]), 'easy')).rejects.toThrow('the game is over');
    client.dispose();
  });

  it('thinks during the human’s turn and still responds at once', async () => {
    const worker = new InProcessWorker();
    const client = new EngineClient(() => worker);
    client.ponder(emptyPosition(5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const started = performance.now();
    const answer = await client.solve(positionAfter(3, [0]));
    expect(answer.proven).toBe(true);
    expect(performance.now() - started).toBeLessThan(1000);
    expect(worker.heard.map(({ kind }) => kind)).toEqual(['ponder', 'task']);
    client.dispose();
  });

  it('discards a cancelled task and continues', async () => {
    const client = new EngineClient(() => new InProcessWorker());
    const controller = new AbortController();
    const review = client.review(6, [14, 0, 15, 35, 20, 5], { signal: controller.signal });
    const move = client.chooseMove(positionAfter(3, [0]), 'perfect', { signal: controller.signal });
    controller.abort(new Error('never mind'));
    await expect(review).rejects.toThrow('never mind');
    await expect(move).rejects.toThrow('never mind');
    await expect(client.solve(emptyPosition(3), { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow(
      'too late',
    );
    expect(await client.solve(emptyPosition(3))).toMatchObject({ value: 'draw' });
    client.dispose();
  });

  it('rejects pending tasks when it is closed, and can be used again', async () => {
    const silent = new SilentWorker();
    const client = new EngineClient(sequence(silent, new InProcessWorker()));
    const solving = client.solve(emptyPosition(3));
    client.dispose();
    await expect(solving).rejects.toThrow(EngineUnavailable);
    expect(silent.terminated).toBe(true);
    expect(await client.solve(emptyPosition(3))).toMatchObject({ value: 'draw' });
    client.dispose();
  });
});

describe('a worker that fails', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    [3, 2000],
    [6, 3000],
  ] as const)('on size %i delays a move by at most %i ms, and is replaced', async (size, timeoutMs) => {
    expect(REFERENCE_AI.timeoutMs[size]).toBe(timeoutMs);
    const silent = new SilentWorker();
    const client = new EngineClient(sequence(silent, new InProcessWorker()), () => 0);
    let answered = false;
    const asked = client.chooseMove(emptyPosition(size), 'perfect').finally(() => (answered = true));
    const [message] = silent.heard;
    expect(message).toMatchObject({ task: { kind: 'choose', budgetMs: timeoutMs - 250 } });
    await vi.advanceTimersByTimeAsync(timeoutMs - 1);
    expect(answered).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await asked).toEqual({ cell: size === 3 ? 4 : 14, fallback: true });
    // It may just be slow to load.
    expect(silent.terminated).toBe(false);
    await vi.advanceTimersByTimeAsync(5000);
    const second = client.chooseMove(positionAfter(size, [0]), 'perfect');
    await vi.advanceTimersByTimeAsync(timeoutMs);
    expect(await second).toMatchObject({ fallback: true });
    expect(silent.terminated).toBe(true);
    const third = client.chooseMove(positionAfter(size, [0]), 'perfect');
    await vi.advanceTimersByTimeAsync(100);
    expect(await third).toMatchObject({ fallback: false });
    client.dispose();
  });

  it('to load in time gets more time', async () => {
    const slow = new SilentWorker();
    const client = new EngineClient(sequence(slow), () => 0);
    const move = client.chooseMove(emptyPosition(3), 'perfect');
    await vi.advanceTimersByTimeAsync(2000);
    expect(await move).toMatchObject({ fallback: true });
    const next = client.chooseMove(positionAfter(3, [0]), 'perfect');
    const asked = slow.heard.filter(({ kind }) => kind === 'task').at(-1) as Extract<ToWorker, { kind: 'task' }>;
    const result = { cell: 4 } as Results['choose'];
    slow.onmessage?.({ data: { kind: 'result', id: asked.id, result } } as MessageEvent<FromWorker>);
    expect(await next).toEqual({ cell: 4, fallback: false });
    client.dispose();
  });

  it('between two moves delays the next move by 800 ms', async () => {
    const first = new InProcessWorker();
    const client = new EngineClient(sequence(first, new InProcessWorker()));
    const opening = client.chooseMove(emptyPosition(3), 'perfect');
    await vi.advanceTimersByTimeAsync(10);
    expect(await opening).toMatchObject({ fallback: false });
    first.terminated = true;
    const next = client.chooseMove(positionAfter(3, [0]), 'perfect');
    await vi.advanceTimersByTimeAsync(850);
    expect(await next).toMatchObject({ cell: 4, fallback: false });
    client.dispose();
  });

  it('silently is detected, and the task is repeated', async () => {
    const client = new EngineClient(sequence(new SilentWorker(), new InProcessWorker()));
    const solving = client.solve(emptyPosition(3));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await solving).toMatchObject({ value: 'draw' });
    client.dispose();
  });

  it('twice is not tried again', async () => {
    const client = new EngineClient(sequence(new BrokenWorker(), new SilentWorker()));
    const solving = client.solve(emptyPosition(3));
    const refused = expect(solving).rejects.toThrow(EngineUnavailable);
    await vi.advanceTimersByTimeAsync(60_000);
    await refused;
    client.dispose();
  });

  it('to load, or cannot be created, results in the fallback move', async () => {
    const broken = new EngineClient(
      () => new BrokenWorker(),
      () => 0.99,
    );
    const move = broken.chooseMove(positionAfter(5, [12]), 'hard');
    await vi.advanceTimersByTimeAsync(100);
    expect(await move).toEqual({ cell: 17, fallback: true });
    const none = new EngineClient(sequence(), () => 0);
    expect(await none.chooseMove(emptyPosition(3), 'hard')).toEqual({ cell: 4, fallback: true });
    await expect(none.solve(emptyPosition(3))).rejects.toThrow(EngineUnavailable);
    expect(() => none.ponder(emptyPosition(3))).not.toThrow();
  });
});
