import type { FromWorker, ToWorker } from './protocol.ts';
import { EngineService } from './service.ts';

// A separate task for each step. A timer would add four milliseconds each; a message to ourselves only waits its turn.
const steps = new MessageChannel();
const waiting: (() => void)[] = [];
steps.port1.onmessage = () => waiting.shift()?.();

const tell = (message: FromWorker): void => self.postMessage(message);
const service = new EngineService({
  send: tell,
  later: (step) => {
    waiting.push(step);
    steps.port2.postMessage(null);
  },
  now: () => performance.now(),
});

self.addEventListener('message', (event: MessageEvent<ToWorker>) => service.receive(event.data));
tell({ kind: 'ready' });
