import type { FromWorker, ToWorker } from '@/engine/protocol';
import { EngineService } from '@/engine/service';
import type { WorkerLike } from '@/engine';

/** The real engine, run on the test's own thread. */
export function inlineWorker(): WorkerLike {
  const service = new EngineService({
    send: (message) => worker.onmessage?.({ data: message } as MessageEvent<FromWorker>),
    later: (step) => void setTimeout(step),
    now: () => performance.now(),
  });
  const worker: WorkerLike = {
    onmessage: null,
    onerror: null,
    postMessage: (message: ToWorker) => void setTimeout(() => service.receive(message)),
    terminate: () => undefined,
  };
  return worker;
}
