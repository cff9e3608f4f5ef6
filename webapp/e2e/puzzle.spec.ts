import { makePuzzle } from '../src/engine/puzzle.ts';
import { expect, test } from './fixtures';

test('a visitor solves the puzzle of the day without a network', async ({ page }) => {
  await page.goto('/app/puzzle');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Hint' })).toBeVisible();

  const status = page.getByRole('region', { name: 'Status' });
  const cell = (at: number) => page.getByRole('gridcell').nth(at);
  const day = new Date().toISOString().slice(0, 10);
  const { board, step } = makePuzzle(day);
  const shown = await page
    .getByRole('gridcell')
    .evaluateAll((cells) => cells.map((each) => each.dataset.content || '.'));
  expect(shown.join('')).toBe(board);

  await cell(step.wrong[0]?.cell ?? -1).click();
  await expect(status).toHaveText(/Not that one/);
  await page.getByRole('button', { name: 'Take it back' }).click();
  for (let right = step.right[0]; right !== undefined; right = right.then?.step.right[0]) {
    await cell(right.cell).click();
    if (right.then !== null) await expect(cell(right.then.reply)).toHaveAccessibleName(/, [XO]$/);
  }
  await expect(status).toHaveText(/Solved!\s*With 1 wrong move\./);
  await page.reload();
  await expect(page.getByRole('link', { name: /, today, solved on its day$/ })).toBeVisible();
});
