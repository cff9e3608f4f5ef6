import { expect } from './fixtures';
import { pageOf, test, type Viewer, quietNetwork } from './screens';
import { DESKTOP } from './pageChecks';

const DIALOGS: { viewer: Viewer; path: string; open: RegExp | string; dialog: RegExp | string }[] = [
  { viewer: 'visitor', path: '/replay/moves/3X0184762', open: 'Share', dialog: 'Share' },
  { viewer: 'ada', path: '/app/practice/local', open: 'Settings', dialog: 'Settings' },
  { viewer: 'ada', path: '/app/practice/ai', open: 'Settings', dialog: 'Settings' },
  { viewer: 'ada', path: '/app/setting/edit', open: 'Delete Account', dialog: /Delete/ },
  { viewer: 'admin', path: '/app/admin/events', open: 'Create Event', dialog: 'Create Event' },
];

for (const { viewer, path, open, dialog } of DIALOGS) {
  test(`${path}: the dialog behind '${String(open)}' opens, traps the focus, closes on Escape and returns the focus`, async ({
    app,
  }) => {
    const page = pageOf(app, viewer);
    await page.setViewportSize(DESKTOP);
    const quiet = quietNetwork(page);
    await page.goto(path);
    const opener = page.getByRole('main').getByRole('button', { name: open, exact: true });
    // A page that is still loading would render again and lose the focus.
    await opener.waitFor();
    await quiet();
    await opener.focus();
    await page.keyboard.press('Enter');
    const opened = page.getByRole('dialog', { name: dialog });
    await expect(opened).toBeVisible();
    // The focus cycles in both directions and never leaves the dialog.
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let step = 0; step < 15; step += 1) await page.keyboard.press(key);
      await expect(opened.locator(':focus')).toHaveCount(1);
    }
    await page.keyboard.press('Escape');
    await expect(opened).toBeHidden();
    await expect(opener).toBeFocused();
  });
}
