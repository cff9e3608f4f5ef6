import { api, read, write } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

export type NotificationSettings = Schemas['NotificationSettingsAnswer'];
export type PushSettings = Schemas['PushSettings'];
export type MailSettings = Schemas['MailSettings'];
export type PushBrowser = Schemas['PushSubscription'];

export const notificationsApi = api.injectEndpoints({
  endpoints: (build) => {
    // Every change is answered with all there is.
    const changing = {
      invalidatesTags: (_answer: unknown, error: unknown) => (error ? [] : (['Notifications'] as const)),
    };
    return {
      notificationSettings: build.query<NotificationSettings, void>({
        query: () => read('userprofile', 'get_notification_settings', {}),
        providesTags: ['Notifications'],
      }),
      updateNotificationSettings: build.mutation<NotificationSettings, Schemas['UpdateNotificationSettings']>({
        query: (payload) => write('userprofile', 'update_notification_settings', payload),
        // Shown at once, and taken back if it fails.
        async onQueryStarted({ push, mail }, { dispatch, queryFulfilled }) {
          const patch = dispatch(
            notificationsApi.util.updateQueryData('notificationSettings', undefined, (shown) => {
              if (push !== undefined) shown.push = push;
              if (mail !== undefined) shown.mail = mail;
            }),
          );
          await queryFulfilled.catch(() => patch.undo());
        },
      }),
      subscribePush: build.mutation<NotificationSettings, Schemas['SubscribePush']>({
        query: (payload) => write('userprofile', 'subscribe_push', payload),
        ...changing,
      }),
      unsubscribePush: build.mutation<NotificationSettings, Schemas['UnsubscribePush']>({
        query: (payload) => write('userprofile', 'unsubscribe_push', payload),
        ...changing,
      }),
      showPushExample: build.mutation<Schemas['Acknowledgement'], void>({
        query: () => write('userprofile', 'show_push_example', {}),
      }),
    };
  },
});

export const {
  useNotificationSettingsQuery,
  useUpdateNotificationSettingsMutation,
  useSubscribePushMutation,
  useUnsubscribePushMutation,
  useShowPushExampleMutation,
} = notificationsApi;
