import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { DEMO, type MockServer } from '@/testing/mocks/mockServer';
import { Refusal } from '@/testing/mocks/refusal';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { answer, server } from '@/testing/server';
// Imported here, so that loading does not count towards the time-out of the first test.
import './HostDeskPage';
import './HostPage';

beforeEach(() => notifications.clean());

/** Ada may host, and hosts what the mock has. */
function renderForHost(path: string) {
  const rendered = renderWithMockServer(path);
  rendered.mock.update({ emailVerified: true });
  return rendered;
}

const hostedId = (mock: MockServer, title = 'Kitchen Table Cup') =>
  mock.events.hostedBy(mock.user.userId).find((event) => event.view().title === title)!.eventId;

/** Goes through the first two steps. */
async function hostEvent({ user }: ReturnType<typeof renderForHost>, title: string) {
  await user.type(await screen.findByLabelText(/^Title/), title);
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await user.click(await screen.findByRole('button', { name: 'Publish Event' }));
}

describe('Host an event', () => {
  it('leads from the button to the link in three steps', async () => {
    const rendered = renderForHost('/app/events');
    const { user, mock, container } = rendered;
    await user.click(await screen.findByRole('link', { name: 'Host an event' }));

    expect(await screen.findByRole('heading', { name: 'What and when' })).toBeInTheDocument();
    expect(screen.getByText('What and when', { selector: 'li' })).toHaveAttribute('aria-current', 'step');
    await expectAccessible(container);
    await user.type(screen.getByLabelText(/^Title/), 'Friday Four');
    await user.click(screen.getByRole('button', { name: 'Next' }));

    expect(await screen.findByRole('heading', { name: 'How it is played' })).toHaveFocus();
    expect(screen.getByText(/8 players play 3 rounds in about 13 minutes/)).toBeInTheDocument();
    expect(screen.getByText(/^It ends .*, 1 h after its start\.$/)).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: /^Round robin/ }));
    expect(screen.getByText(/^It ends .*, 2 h after its start\.$/)).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: '4×4' }));
    await user.type(screen.getByLabelText('Maximum players'), '8');
    await expectAccessible(container);
    await user.click(screen.getByRole('button', { name: 'Publish Event' }));

    expect(await screen.findByRole('heading', { name: 'Friday Four is ready' })).toHaveFocus();
    const [event] = mock.events.hostedBy(mock.user.userId);
    const code = event?.joinCode ?? '';
    expect(screen.getByLabelText('Link')).toHaveValue(`${window.location.origin}/join#${code}`);
    expect(screen.getByLabelText('Join code')).toHaveValue(code);
    expect(event?.view()).toMatchObject({
      eventState: 'published',
      isPrivate: true,
      format: 'roundRobin',
      boardSize: 4,
      maxPlayers: 8,
    });
    // It is the second that is open, and what was made stays in view.
    expect(await screen.findByRole('link', { name: 'Friday Four' })).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Friday Four is ready' })).toBeInTheDocument();
    await expectAccessible(container);
    await user.click(screen.getByRole('link', { name: 'Open your desk' }));
    expect(await screen.findByRole('heading', { name: 'Friday Four', level: 1 })).toBeInTheDocument();
  });

  it('goes back to the step of what is refused, and makes one event of several tries', async () => {
    const rendered = renderForHost('/app/host');
    const { user, mock } = rendered;
    const before = mock.events.hostedBy(mock.user.userId).length;
    await hostEvent(rendered, 'See chalk.example');
    expect(await screen.findByRole('heading', { name: 'What and when' })).toBeInTheDocument();
    expect(screen.getByText(/^Links are not allowed/)).toBeInTheDocument();
    expect(mock.events.hostedBy(mock.user.userId)).toHaveLength(before);

    // A draft that could not be published is changed by the next try.
    const publish = vi.spyOn(mock.events, 'update').mockImplementationOnce(() => {
      throw new Refusal(503, 'unavailable', 'Not now.');
    });
    await user.clear(screen.getByLabelText(/^Title/));
    await hostEvent(rendered, 'First name');
    expect(await screen.findByText(/^Not now\./)).toBeInTheDocument();
    publish.mockRestore();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await user.clear(await screen.findByLabelText(/^Title/));
    await hostEvent(rendered, 'Second name');
    expect(await screen.findByRole('heading', { name: 'Second name is ready' })).toBeInTheDocument();
    expect(mock.events.hostedBy(mock.user.userId)).toHaveLength(before + 1);
  });

  it('asks before an event is left that is not published', async () => {
    const { user } = renderForHost('/app/host');
    await user.type(await screen.findByLabelText(/^Title/), 'Friday Four');
    await user.click(screen.getByRole('link', { name: 'Back to events' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Discard changes?' }));
    expect(dialog.getByText('Your event is not published yet.')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Keep Editing' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByLabelText(/^Title/)).toHaveValue('Friday Four');
    await user.click(screen.getByRole('link', { name: 'Back to events' }));
    await user.click(await screen.findByRole('button', { name: 'Discard Changes' }));
    expect(await screen.findByRole('heading', { name: 'Events', level: 1 })).toBeInTheDocument();
  });

  it('needs a title', async () => {
    const { user } = renderForHost('/app/host');
    await user.click(await screen.findByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Event title is required.')).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'What and when' })).toBeInTheDocument();
  });

  it('lists the events of the user, and says when no more may be open', async () => {
    const { mock } = renderForHost('/app/host');
    mock.events.add({ title: 'A second one' }, mock.user);
    expect(await screen.findByRole('heading', { name: 'You host 2 events already' })).toBeInTheDocument();
    expect(screen.queryByLabelText(/^Title/)).not.toBeInTheDocument();
    const own = await screen.findByRole('region', { name: 'Your events' });
    expect(within(own).getByRole('link', { name: 'Kitchen Table Cup' })).toHaveAttribute(
      'href',
      `/app/host/${hostedId(mock)}`,
    );
    expect(within(own).getByText('Draft')).toBeInTheDocument();
  });

  it('says that the email must be verified, and where', async () => {
    renderWithMockServer('/app/host');
    expect(await screen.findByRole('heading', { name: 'Verify your email first' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Verify your email' })).toHaveAttribute('href', '/app/setting/security');
  });

  it('says whom to ask where no mail is sent', async () => {
    renderWithMockServer('/app/host');
    server.use(http.get('*/api/auth/providers', () => answer({ local: true, registration: true, mail: false })));
    expect(await screen.findByText(/Ask its operator to let you host\.$/)).toBeInTheDocument();
  });

  it('leads guests to an account', async () => {
    const { mock } = renderWithMockServer('/app/host', { asVisitor: true });
    mock.addGuest();
    expect(await screen.findByText('You need an account for events.')).toBeInTheDocument();
  });

  it('is not offered where members do not host, and says so', async () => {
    const { mock, router } = renderForHost('/app/events');
    mock.membersMayHost = false;
    expect(await screen.findByRole('link', { name: 'Have a join code?' })).toHaveAttribute('href', '/join');
    await screen.findByRole('article', { name: 'New Year Ladder' });
    expect(screen.queryByRole('link', { name: 'Host an event' })).not.toBeInTheDocument();
    await router.navigate('/app/host');
    expect(await screen.findByRole('heading', { name: 'Members do not host events here' })).toBeInTheDocument();
  });
});

describe('the page of a private event', () => {
  it('names its host, who can be reported, and offers outsiders nothing', async () => {
    const { mock, user, router, container } = renderWithMockServer('/app/events');
    const attic = mock.events.withCode('ATTC-BMTZ-2345-WXYZ')!;
    await router.navigate(`/app/events/view/${attic.eventId}`);
    expect(await screen.findByText('Event not found.')).toBeInTheDocument();

    mock.events.signUp(attic, mock.user);
    await user.click(screen.getByRole('link', { name: 'Back to events' }));
    await router.navigate(`/app/events/view/${attic.eventId}`);
    expect(await screen.findByRole('heading', { name: 'Attic Swiss', level: 1 })).toBeInTheDocument();
    expect(screen.getByText('Private')).toBeInTheDocument();
    expect(screen.getByText('whoever has the join code')).toBeInTheDocument();
    expect(screen.getByText('4 of at most 64')).toBeInTheDocument();
    // Neither the code nor the desk is theirs.
    expect(screen.queryByLabelText('Join code')).not.toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Open your desk' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Share' })).not.toBeInTheDocument();
    await expectAccessible(container);
    await user.click(screen.getByRole('button', { name: 'More about bob' }));
    expect(await screen.findByRole('menuitem', { name: 'Report…' })).toBeInTheDocument();
  });

  it('asks before it is left, since one does not come back without the code', async () => {
    const { mock, user, router, at } = renderWithMockServer('/app/events');
    const attic = mock.events.withCode('ATTC-BMTZ-2345-WXYZ')!;
    mock.events.signUp(attic, mock.user);
    await router.navigate(`/app/events/view/${attic.eventId}`);
    await user.click(await screen.findByRole('button', { name: 'Unregister' }));
    const dialog = await screen.findByRole('dialog', { name: 'Leave this event?' });
    await user.click(within(dialog).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(at()).toBe('/app/events'));
    expect(attic.participants.has(mock.user.userId)).toBe(false);
  });

  it('gives its host the code, a new one after a question, and the desk', async () => {
    const { mock, user, router, container } = renderForHost('/app/home');
    const eventId = hostedId(mock);
    await router.navigate(`/app/events/view/${eventId}`);
    const code = mock.events.event(eventId).joinCode ?? '';
    expect(await screen.findByLabelText('Join code')).toHaveValue(code);
    expect(screen.getByRole('link', { name: 'Open your desk' })).toHaveAttribute('href', `/app/host/${eventId}`);
    await expectAccessible(container);

    await user.click(screen.getByRole('button', { name: 'Copy Link' }));
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/join#${code}`);
    await user.click(screen.getByRole('button', { name: 'New Code…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Make a new code?' });
    expect(within(dialog).getByText(/stop working/)).toBeInTheDocument();
    await user.click(within(dialog).getByRole('button', { name: 'Make a New Code' }));
    await waitFor(() => expect(screen.getByLabelText('Join code')).not.toHaveValue(code));
    expect(screen.getByLabelText('Join code')).toHaveValue(mock.events.event(eventId).joinCode);
    expect(mock.events.withCode(code)).toBeUndefined();
  });
});

describe('the host’s desk', () => {
  it('has what a host may do, and nothing of an admin’s', async () => {
    const { mock, user, router, container } = renderForHost('/app/home');
    const eventId = hostedId(mock);
    await router.navigate(`/app/host/${eventId}`);
    const actions = within(await screen.findByRole('region', { name: 'Quick Actions' }));
    const names = () => actions.getAllByRole('button').map(({ textContent }) => textContent);
    expect(names()).toEqual(['Start Event', 'Edit Event', 'Cancel Event']);
    expect(screen.getByLabelText('Join code')).toBeInTheDocument();
    await expectAccessible(container);

    await user.click(actions.getByRole('button', { name: 'Edit Event' }));
    for (const label of ['Prize', 'Rate games between players on one network']) {
      expect(screen.queryByLabelText(label)).not.toBeInTheDocument();
    }
    expect(screen.queryByText('Event type')).not.toBeInTheDocument();
    expect(await screen.findByText('It can start up to 42 days from now, and last up to 7 days.')).toBeInTheDocument();
    await user.clear(screen.getByLabelText('Maximum players'));
    await user.type(screen.getByLabelText('Maximum players'), '12');
    await user.click(screen.getByText('Who can enter'));
    await user.type(screen.getByLabelText('Maximum rating'), '1400');
    await user.type(screen.getByLabelText('Only these players'), 'bob, nobody');
    await expectAccessible(container);
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByText('Nobody here is called nobody.')).toBeInTheDocument();
    await user.clear(screen.getByLabelText('Only these players'));
    await user.type(screen.getByLabelText('Only these players'), 'bob');
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(mock.events.event(eventId).view().maxPlayers).toBe(12));
    expect(await screen.findByText('A rating up to 1400')).toBeInTheDocument();
    expect(screen.getByText('On the list: bob')).toBeInTheDocument();

    await user.type(await screen.findByLabelText('Message to all participants'), 'See www.chalk.example');
    await user.click(screen.getByRole('button', { name: 'Announce' }));
    expect(await screen.findByText(/^Links are not allowed/)).toBeInTheDocument();

    await user.click(actions.getByRole('button', { name: 'Start Event' }));
    await waitFor(() => expect(names()).toEqual(['End Event', 'Extend Event', 'Cancel Event']));
    expect(await screen.findByRole('region', { name: 'Director’s Desk' })).toBeInTheDocument();

    await user.click(actions.getByRole('button', { name: 'End Event' }));
    const dialog = await screen.findByRole('dialog', { name: 'End Event' });
    await user.click(within(dialog).getByRole('button', { name: 'End Event' }));
    expect(await screen.findByText('The winners are final.')).toBeInTheDocument();
    expect(within(screen.getByRole('region', { name: 'Quick Actions' })).queryAllByRole('button')).toEqual([]);
  });

  it('removes a participant, whose email it does not show', async () => {
    // Without a layout nothing has a height, and a list without height renders no rows.
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400);
    const { mock, user, router } = renderForHost('/app/home');
    const eventId = hostedId(mock);
    await router.navigate(`/app/host/${eventId}?tab=participants`);
    await user.click(await screen.findByRole('button', { name: 'Manage barbara' }));
    expect(screen.queryByText('barbara@example.org')).not.toBeInTheDocument();
    const form = await screen.findByRole('form', { name: 'Remove from the event' });
    await user.type(within(form).getByLabelText(/^Reason/), 'Has to go.');
    await user.click(within(form).getByRole('button', { name: 'Remove Participant' }));
    await waitFor(() => {
      const { userId } = mock.find(({ username }) => username === 'barbara');
      expect(mock.events.event(eventId).participants.isIn(userId)).toBe(false);
    });
  });

  it('is for the host alone', async () => {
    const { mock, router } = renderForHost('/app/home');
    const attic = mock.events.withCode('ATTC-BMTZ-2345-WXYZ')!;
    await router.navigate(`/app/host/${attic.eventId}`);
    expect(await screen.findByText('You host no such event.')).toBeInTheDocument();
    mock.events.signUp(attic, mock.user);
    await router.navigate('/app/host');
    await router.navigate(`/app/host/${attic.eventId}`);
    expect(await screen.findByText('You host no such event.')).toBeInTheDocument();
    expect(mock.user.email).toBe(DEMO.email);
  });
});
