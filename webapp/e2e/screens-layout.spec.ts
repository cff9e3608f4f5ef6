import type { Locator, Page } from '@playwright/test';
import { call } from './calls';
import { expect } from './fixtures';
import { accountOf, openScreen, type SeededApp, SCREENS, test } from './screens';
import { DESKTOP, PHONE, resize } from './pageChecks';

/** Differences that are not visible, in pixels. */
const SLACK = 2;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

async function openPath(app: SeededApp, viewer: 'ada' | 'admin', path: string): Promise<Page> {
  const wanted = SCREENS.find((each) => {
    return each.viewer === viewer && (typeof each.path === 'string' ? each.path : each.path(app.ids)) === path;
  });
  if (wanted === undefined) throw new Error(`no screen ${path}`);
  return openScreen(app, wanted);
}

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not drawn');
  return box;
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The boxes of a grid's children, row by row. */
async function rowsOf(grid: Locator): Promise<{ rows: Box[][]; inside: Box }> {
  const boxes: Box[] = [];
  for (const child of await grid.locator(':scope > *').all()) boxes.push(await boxOf(child));
  const rows: Box[][] = [];
  for (const box of boxes) {
    const row = rows.find(([first]) => first !== undefined && Math.abs(first.y - box.y) <= SLACK);
    if (row === undefined) rows.push([box]);
    else row.push(box);
  }
  return { rows, inside: await boxOf(grid) };
}

test.describe('the board', () => {
  for (const [what, path, buttons] of [
    ['of a live game', ({ ids }: SeededApp) => `/app/game/${ids.game}`, /^Forfeit game$/],
    ['of a game that is over', ({ ids }: SeededApp) => `/app/game/${ids.finished}`, /^Play Again$/],
    ['of AI practice', () => '/app/practice/ai', /^(Undo|Reset)/],
  ] as const) {
    test(`${what} is centred in the free space, with the buttons in reach of the thumb`, async ({ app }) => {
      const page = await openPath(app, 'ada', path(app));
      await resize(page, PHONE);
      const grid = page.getByRole('grid');
      const [above, below] = await grid.evaluate((board) => {
        let part: Element = board;
        // Up to the ancestor between the players and the panel.
        while (part.previousElementSibling === null || part.nextElementSibling === null) {
          if (part.parentElement === null) throw new Error('the board stands alone');
          part = part.parentElement;
        }
        const [top, bottom] = [part.previousElementSibling, part.nextElementSibling];
        const box = board.getBoundingClientRect();
        return [box.top - top.getBoundingClientRect().bottom, bottom.getBoundingClientRect().top - box.bottom];
      });
      expect(Math.abs((above ?? 0) - (below ?? 0)), `${above} px above, ${below} px below`).toBeLessThanOrEqual(SLACK);
      const actions = page.getByRole('button', { name: buttons });
      await expect(actions.first()).toBeVisible();
      for (const button of await actions.all()) {
        expect((await boxOf(button)).y).toBeGreaterThan((PHONE.height * 2) / 3);
      }
    });
  }
});

test('an invitation never covers the title of a page', async ({ app }) => {
  const paths = ['/app/home', '/app/events', '/app/practice', `/app/events/view/${app.ids.upcoming}`, '/app/setting'];
  const players = await Promise.all([app.bob, app.ada].map(({ page }) => accountOf(page)));
  for (const size of [PHONE, DESKTOP]) {
    for (const path of paths) {
      const page = await openPath(app, 'ada', path);
      await resize(page, size);
      const { game } = await call<{ game: { gameId: string } }>(app.bob.page, 'game', 'create_game', {
        gameType: 'invite',
        boardSize: 3,
        players,
      });
      const notice = page.getByRole('alert').filter({ hasText: 'invites you to a game' }).first();
      await expect(notice).toBeVisible();
      const covered = await boxOf(notice);
      for (const title of await page.getByRole('heading', { level: 1 }).all()) {
        const box = await title.boundingBox();
        if (box === null) continue;
        expect(overlap(covered, box), `${path} at ${size.width} px: ${await title.innerText()}`).toBe(false);
      }
      await call(app.bob.page, 'game', 'cancel_game', { gameId: game.gameId });
      await expect(notice).toBeHidden();
    }
  }
});

test('a dialog’s overlay reaches the edges of a scrolling page', async ({ app }) => {
  const page = await openPath(app, 'admin', `/app/admin/events/${app.ids.live}`);
  for (const size of [PHONE, DESKTOP]) {
    await resize(page, { ...size, height: 500 });
    await page.getByRole('button', { name: 'End Event', exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    const edges = await page.evaluate(() => {
      const overlay = document.querySelector('[class*="Modal-overlay"]')?.getBoundingClientRect();
      return overlay && [overlay.left, overlay.top, overlay.right - innerWidth, overlay.bottom - innerHeight];
    });
    expect(edges).toEqual([0, 0, 0, 0]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test.describe('on a desktop screen', () => {
  for (const path of ['/app/home', '/app/practice']) {
    test(`${path} is one regular grid without gaps`, async ({ app }) => {
      const page = await openPath(app, 'ada', path);
      await resize(page, DESKTOP);
      const grid = page.locator('main h1').locator('xpath=following::div[contains(@class, "cards")][1]');
      const { rows, inside } = await rowsOf(grid);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        const heights = row.map(({ height }) => height);
        expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(SLACK);
        const right = Math.max(...row.map(({ x, width }) => x + width));
        expect(Math.abs(right - (inside.x + inside.width))).toBeLessThanOrEqual(SLACK);
      }
    });
  }

  for (const [name, viewer, path] of [
    ['Home', 'ada', () => '/app/home'],
    ['the practice hub', 'ada', () => '/app/practice'],
    ['the event room', 'ada', ({ ids }: SeededApp) => `/app/game/event/${ids.live}`],
    ['billing', 'admin', () => '/app/admin/billing'],
  ] as const) {
    test(`the full width is used on ${name}`, async ({ app }) => {
      const page = await openPath(app, viewer, path(app));
      await resize(page, DESKTOP);
      const used = await page.evaluate(() => {
        const main = document.querySelector('main') ?? document.body;
        const room = main.getBoundingClientRect();
        const boxes = [...main.querySelectorAll('section, article, a, form, table, h1, p, li, [role=tablist]')]
          .map((each) => each.getBoundingClientRect())
          .filter(({ width, height }) => width > 0 && height > 0);
        const left = Math.min(...boxes.map((box) => box.left));
        return (Math.max(...boxes.map((box) => box.right)) - left) / room.width;
      });
      expect(used).toBeGreaterThan(0.8);
    });
  }
});

test('the names of participants are visible on a phone', async ({ app }) => {
  const page = await openPath(app, 'admin', `/app/admin/events/${app.ids.live}?tab=participants`);
  await resize(page, PHONE);
  for (const { name } of [app.ada, app.bob]) {
    await expect(page.getByRole('region', { name: 'Participants' }).getByText(name, { exact: true })).toBeVisible();
  }
});

test('only the navigation bar and the toasts float over the content', async ({ app }) => {
  for (const path of ['/app/home', '/app/events', `/app/events/view/${app.ids.upcoming}`]) {
    const page = await openPath(app, 'ada', path);
    await resize(page, PHONE);
    const floating = await page.evaluate(() =>
      [...document.querySelectorAll('main a, main button, main [role="button"]')]
        .filter((each) => {
          for (let at: Element | null = each; at !== null && at.tagName !== 'MAIN'; at = at.parentElement) {
            if (['fixed', 'sticky'].includes(getComputedStyle(at).position)) return true;
          }
          return false;
        })
        .map((each) => each.textContent),
    );
    expect(floating, path).toEqual([]);
  }
});

test.describe('what is narrow shows its texts', () => {
  test('the players of a replay, on a phone', async ({ app }) => {
    const page = await openPath(app, 'ada', `/app/game/${app.ids.finished}/replay`);
    for (const width of [320, PHONE.width]) {
      await resize(page, { ...PHONE, width });
      for (const player of await page.getByRole('list', { name: 'Players' }).getByRole('listitem').all()) {
        const [card, name] = [await boxOf(player), await boxOf(player.locator('b'))];
        expect(name.y, `${width} px`).toBeGreaterThanOrEqual(card.y);
        expect(name.y + name.height, `${width} px`).toBeLessThanOrEqual(card.y + card.height);
      }
    }
  });

  test('the admin strip, whose present place is in view once the reports are counted', async ({ app }) => {
    const { page } = app.admin;
    await resize(page, PHONE);
    for (const place of ['Reports', 'Engine Use', 'Server']) {
      const path = `/app/admin/${place.toLowerCase().replace(' ', '-')}`;
      await openPath(app, 'admin', path);
      const strip = page.getByRole('navigation', { name: 'Admin' });
      await expect(strip.getByText(/^\d+ open$/)).toBeAttached();
      await expect
        .poll(async () => {
          const [seen, present] = [await boxOf(strip), await boxOf(strip.getByRole('link', { name: place }))];
          return Math.max(0, present.x + present.width - seen.x - seen.width) + Math.max(0, seen.x - present.x);
        }, place)
        .toBeLessThanOrEqual(SLACK);
    }
  });

  test('the audit trail, with an address in one line', async ({ app }) => {
    const page = await openPath(app, 'admin', '/app/admin/audit');
    await resize(page, DESKTOP);
    const address = page.getByRole('cell', { name: '127.0.0.1' }).first();
    const lines = await address.evaluate((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
    expect(lines).toBe(1);
  });

  test('the filters of the logs', async ({ app }) => {
    const page = await openPath(app, 'admin', '/app/admin/logs');
    await resize(page, DESKTOP);
    const cut = await page.locator('[role=search] select').evaluateAll((fields) => {
      const pen = document.createElement('canvas').getContext('2d');
      if (pen === null) throw new Error('no canvas');
      return fields
        .filter((field) => field instanceof HTMLSelectElement)
        .map((field) => ({ field, text: field.selectedOptions[0]?.text ?? '' }))
        .filter(({ field, text }) => {
          const { font, paddingLeft, paddingRight } = getComputedStyle(field);
          pen.font = font;
          return pen.measureText(text).width > field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        })
        .map(({ text }) => text);
    });
    expect(cut).toEqual([]);
  });
});
