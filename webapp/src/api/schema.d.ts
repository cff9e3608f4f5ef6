/* @generated from openapi/openapi.json by `npm run api`: do not edit. */

export interface paths {
    "/api/auth/api/v1/calendar/auth-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where to allow access to one's calendar. */
        get: operations["getCalendarAuthUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api/v1/calendar/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether one's calendar is connected. */
        get: operations["getCalendarStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api/v1/requestverificationcode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Recovery, step 1: mails a code. The answer is the same whether or not the email is known. */
        post: operations["requestVerificationCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api/v1/update-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Recovery, step 3: sets a new password, after a validated code from the same browser. */
        post: operations["updatePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api/v1/validate-verification-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Recovery, step 2: checks the code. */
        post: operations["validateVerificationCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/calendar/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The provider's way back from there. */
        get: operations["calendarCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/calendar/disconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Disconnects one's calendar: leave to write into it is forgotten here and given back at the provider. */
        post: operations["disconnectCalendar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/check-login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in; sets the CSRF cookie. */
        get: operations["checkLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email/change/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mails a code to another email that the account is to have. */
        post: operations["requestEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email/change/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Brings the email back that was there before; every session of the account ends. For whoever has the letter,
         *     signed in or not.
         */
        post: operations["undoEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email/change/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes it. The one before gets a letter with a link to `/email-undo?token=…`, good for 7 days. */
        post: operations["verifyEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email/request-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mails a code that proves one's email. */
        post: operations["requestEmailCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Proves one's email. */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/guest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a guest and signs it in. */
        post: operations["playAsGuest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in. */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs out. */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The provider's way back from there. */
        get: operations["oidcCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Begins a sign-in with the provider that has no id: authorization code flow with PKCE. */
        get: operations["startOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/{id}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The way back from the provider of this id. */
        get: operations["oidcCallbackFrom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Begins a sign-in with the provider of this id. */
        get: operations["startOidcWith"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in with a passkey alone. */
        post: operations["loginWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins a sign-in with a passkey alone. */
        post: operations["getPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkeys/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins to add a passkey. */
        post: operations["beginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkeys/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds the passkey that the browser made. */
        post: operations["finishPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkeys/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Removes one of one's passkeys. */
        post: operations["removePasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkeys/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Renames one of one's passkeys. */
        post: operations["renamePasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Changes one's password. */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whose account an operator's one-time link opens. For whoever has the link, signed in or not. */
        post: operations["checkPasswordLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password-link/passkey/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins a passkey that an operator's one-time link makes in place of a password. */
        post: operations["beginPasskeyByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password-link/passkey/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Uses an operator's one-time link for the passkey that the browser made: the account has no password afterwards, and
         *     every session of it ends.
         */
        post: operations["useLinkForPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password-link/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sets a new password with an operator's one-time link; every session of the account ends. For whoever has the
         *     link, signed in or not.
         */
        post: operations["usePasswordLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Proves that it is the owner who is signed in: sensitive acts are open for 10 minutes. */
        post: operations["prove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/proof/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a sensitive act can be proved with. */
        post: operations["getProofOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one can sign in with. */
        get: operations["getProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes an account and signs it in. */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One's second factor. */
        get: operations["getSecondFactor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/second-factor/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What the pending sign-in of this browser can be completed with. */
        post: operations["getSecondFactorOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes ten new recovery codes; those before are no longer good. */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/second-factor/totp/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins to set up an authenticator app. */
        post: operations["beginTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/second-factor/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Completes it with the app's first code. */
        post: operations["confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/second-factor/totp/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Removes the authenticator app. */
        post: operations["removeTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/second-factor/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Completes the pending sign-in of this browser. */
        post: operations["verifySecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/secure/token/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives the session a new token; the old one works until the new one is first used. */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One's sessions. */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends one of one's sessions and closes its sockets. */
        post: operations["revokeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/revoke-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs out everywhere, or everywhere else, and closes the sockets of these sessions. */
        post: operations["revokeAllSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether there is still no admin, and the link's token is good. */
        get: operations["getSetup"];
        put?: never;
        /** Makes the first admin and signs it in. */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One's personal tokens. */
        get: operations["listPersonalTokens"];
        put?: never;
        /** Makes a personal token, by which a program acts for one. */
        post: operations["createPersonalToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/tokens/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deletes one of one's personal tokens and closes its sockets. */
        post: operations["deletePersonalToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/account/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One's data as JSON. */
        get: operations["exportAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/admin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads: one of the actions, its payload as JSON text */
        get: operations["readAdmin"];
        put?: never;
        /** Writes: one of the actions with its payload */
        post: operations["writeAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/api/v1/payment/methode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One's payment methods. */
        get: operations["listPaymentMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/api/v1/payment/methode/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Removes one of them. */
        post: operations["removePaymentMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/api/v1/user/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** People whose username or display name contains the text, without the caller. */
        get: operations["searchUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/api/v1/user/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One's subscription. */
        get: operations["getUserSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/api/v1/user/subscription/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels it at the end of the paid period. */
        post: operations["cancelUserSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/delete/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deletes one's account for good. */
        post: operations["deleteAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads: one of the actions, its payload as JSON text */
        get: operations["readEvent"];
        put?: never;
        /** Writes: one of the actions with its payload */
        post: operations["writeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/eventSignUp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads: one of the actions, its payload as JSON text */
        get: operations["readEventSignUp"];
        put?: never;
        /** Writes: one of the actions with its payload */
        post: operations["writeEventSignUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/events/series/{series_id}/calendar.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The events of a series, for a calendar that asks again. */
        get: operations["getSeriesCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/events/{event_id}/calendar.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An event for one's calendar. A private one is for those who are in it, or with the token that they are told. */
        get: operations["getEventCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/events/{event_id}/results.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The results of an event as CSV: its matches, or the games of an arena. */
        get: operations["getEventResultsFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/events/{event_id}/standings.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The standings of an event as CSV. */
        get: operations["getEventStandingsFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/events/{event_id}/swiss.trf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A Swiss as TRF16, for pairing and rating programs. */
        get: operations["getEventSwissFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/game": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads: one of the actions, its payload as JSON text */
        get: operations["readGame"];
        put?: never;
        /** Writes: one of the actions with its payload */
        post: operations["writeGame"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/game/export_games": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finished games as a file: the caller's own, or those of an event. Newest first. */
        get: operations["exportGames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/logger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads: one of the actions, its payload as JSON text */
        get: operations["readLogger"];
        put?: never;
        /** Writes: one of the actions with its payload */
        post: operations["writeLogger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/player": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads: one of the actions, its payload as JSON text */
        get: operations["readPlayer"];
        put?: never;
        /** Writes: one of the actions with its payload */
        post: operations["writePlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/profile/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replaces one's avatar. */
        post: operations["uploadProfileImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/profile/image/{user_id}/{size}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Somebody's avatar in one of the sizes. */
        get: operations["getProfileImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/profile/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Removes one's avatar. */
        post: operations["removeProfileImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/profile/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Changes one's profile. */
        post: operations["updateProfile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads: one of the actions, its payload as JSON text */
        get: operations["readSeries"];
        put?: never;
        /** Writes: one of the actions with its payload */
        post: operations["writeSeries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/site": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who runs this server, and where its public pages lead. */
        get: operations["getSite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/stripe/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Events of the payment provider, signed by it. */
        post: operations["stripeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads: one of the actions, its payload as JSON text */
        get: operations["readSubscription"];
        put?: never;
        /** Writes: one of the actions with its payload */
        post: operations["writeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/userprofile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads: one of the actions, its payload as JSON text */
        get: operations["readUserProfile"];
        put?: never;
        /** Writes: one of the actions with its payload */
        post: operations["writeUserProfile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backend/v1/log/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A log record of a client. */
        post: operations["logData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "backup.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Backups start to fail */
        post: operations["told_backup_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "event.concluded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The winners of an event are final */
        post: operations["told_event_concluded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "event.published": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A draft is published */
        post: operations["told_event_published"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "event.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An event starts */
        post: operations["told_event_started"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "report.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A player reports another one */
        post: operations["told_report_opened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An admin tests the webhook */
        post: operations["told_webhook_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description How a game was lost by not being there.
         * @enum {string}
         */
        AbsenceReason: "noShow" | "timeout";
        /**
         * @description How an account proves who it is.
         * @enum {string}
         */
        AccountType: "local" | "google" | "oidc";
        /**
         * Ack
         * @description Answers the very frame that carried `id`.
         */
        Ack: {
            errorCode?: string;
            errorMessage?: string;
            succeeded: boolean;
        };
        /**
         * Acknowledgement
         * @description The call succeeded and there is nothing more to say.
         */
        Acknowledgement: {
            succeeded: boolean;
        };
        /**
         * AddPaymentMethod
         * @description Reports what a browser added; the server asks the provider whether it is true.
         */
        AddPaymentMethod: {
            /** @description The plan is paid with it from now on. The first one is the default in any case. */
            makeDefault?: boolean;
            /** @description One that it takes the place of, as the default too, and that is not kept any more. */
            replaces?: string;
            setupIntentId: string;
        };
        AddPaymentMethodAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "add_payment_method";
            payload: components["schemas"]["AddPaymentMethod"];
        };
        /**
         * AdjudicateGame
         * @description Decides a live game. Without a winner it is void.
         */
        AdjudicateGame: {
            /** Format: uuid */
            gameId: string;
            reason: string;
            /** Format: uuid */
            winnerUserId?: string;
        };
        AdjudicateGameAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "adjudicate_game";
            payload: components["schemas"]["AdjudicateGame"];
        };
        /**
         * AdminClaim
         * @description Admin rights by a provider's claim.
         */
        AdminClaim: {
            /** @description The issuer of the provider. */
            issuer: string;
            /**
             * Format: date-time
             * @description When they end, unless another sign-in brings the claim.
             */
            until: string;
        };
        /** AdminUserAnswer */
        AdminUserAnswer: {
            succeeded: boolean;
            user: components["schemas"]["User"];
        };
        /**
         * AllowHosting
         * @description Lets a member host private events although the email is not verified, or no longer.
         */
        AllowHosting: {
            allowed: boolean;
            /** Format: uuid */
            userId: string;
        };
        AllowHostingAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "allow_hosting";
            payload: components["schemas"]["AllowHosting"];
        };
        /**
         * Announce
         * @description Tells those who take part; 1 to 280 characters.
         */
        Announce: {
            /** Format: uuid */
            eventId: string;
            message: string;
        };
        AnnounceAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "announce";
            payload: components["schemas"]["Announce"];
        };
        /** Announcement */
        Announcement: {
            /** Format: date-time */
            at: string;
            message: string;
        };
        /**
         * AnswerInvitation
         * @description Enters the private event that the caller is invited to, as its join code does; or declines for good.
         */
        AnswerInvitation: {
            accepted: boolean;
            /** Format: uuid */
            eventId: string;
        };
        AnswerInvitationAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "answer_invitation";
            payload: components["schemas"]["AnswerInvitation"];
        };
        /** AnswerInvitationAnswer */
        AnswerInvitationAnswer: {
            /** @description Absent of one that is declined. */
            signup?: components["schemas"]["Signup"];
            succeeded: boolean;
        };
        /** AssignRandomDisplayName */
        AssignRandomDisplayName: {
            /** Format: uuid */
            userId?: string;
        };
        AssignRandomDisplayNameAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "assign_random_display_name";
            payload: components["schemas"]["AssignRandomDisplayName"];
        };
        /** AuditAnswer */
        AuditAnswer: {
            entries: components["schemas"]["AuditEntry"][];
            pagination: components["schemas"]["Pagination"];
            succeeded: boolean;
        };
        /** AuditEntry */
        AuditEntry: {
            action: string;
            /** @description A username, or the name of an operator token. */
            actor: string;
            address: string;
            /** Format: date-time */
            at: string;
            auditId: string;
            detail?: string;
            /**
             * Format: uint64
             * @description Its place in the trail, from 1.
             */
            sequence: number;
            subject: string;
            /** @description What the subject is, where it has a page. */
            subjectKind?: components["schemas"]["AuditSubject"];
            /** @description What the subject is called today: a username, an event's title, a game's players. */
            subjectName?: string;
        };
        /** @enum {string} */
        AuditSubject: "user" | "event" | "game" | "series";
        /** Authenticate */
        Authenticate: {
            /** Format: uuid */
            userId?: string;
        };
        /** Authenticated */
        Authenticated: {
            socketId: string;
            /**
             * Format: uuid
             * @description Absent for an operator token, which is nobody.
             */
            userId?: string;
        };
        /** Backup */
        Backup: {
            /** Format: date-time */
            at: string;
            backupId: string;
            /**
             * Format: uint64
             * @description In all, and those that no earlier backup had stored.
             */
            bytes: number;
            /** Format: uint64 */
            newBytes: number;
            /** @description The Morpion that made it. */
            version: string;
        };
        /**
         * BackupStatus
         * @description How the backups of this server are.
         */
        BackupStatus: {
            /** Format: date-time */
            failingSince?: string;
            /** @description Why they fail, and since when. */
            failure?: string;
            /** @description The latest that is known. */
            last?: components["schemas"]["Backup"];
            /**
             * Format: date-time
             * @description What was committed until then is backed up.
             */
            logUntil?: string;
            /** @description Where they are made to by themselves; absent if nowhere. */
            place?: string;
            /**
             * Format: date-time
             * @description One is being made since then.
             */
            runningSince?: string;
            /** @description The last check of a backup since the start. */
            verification?: components["schemas"]["BackupVerification"];
        };
        /** BackupVerification */
        BackupVerification: {
            backupId: string;
            /** @description Why it could not be checked. */
            failure?: string;
            /**
             * Format: date-time
             * @description Absent while it is under way.
             */
            finishedAt?: string;
            /** @description What is wrong with the backup; empty if it is good, or could not be checked. */
            problems: string[];
            /** Format: date-time */
            startedAt: string;
        };
        /** BackupsAnswer */
        BackupsAnswer: {
            /** @description In the order of their making. */
            backups: components["schemas"]["Backup"][];
            succeeded: boolean;
            unreadable: components["schemas"]["UnreadableBackup"][];
        };
        /**
         * BecomeBot
         * @description Makes the caller's account a bot, for good. The last proof must be at most 10 minutes old.
         */
        BecomeBot: {
            /** @description The account's own username, typed as confirmation. */
            username: string;
        };
        BecomeBotAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "become_bot";
            payload: components["schemas"]["BecomeBot"];
        };
        /** BillingEvent */
        BillingEvent: {
            /** Format: date-time */
            at: string;
            billingEventId: string;
            detail: string;
            kind: string;
            /** Format: uuid */
            userId?: string;
        };
        /** BillingEventsAnswer */
        BillingEventsAnswer: {
            events: components["schemas"]["BillingEvent"][];
            pagination: components["schemas"]["Pagination"];
            succeeded: boolean;
        };
        /** BlockUser */
        BlockUser: {
            /** Format: uuid */
            userId: string;
        };
        BlockUserAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "block_user";
            payload: components["schemas"]["BlockUser"];
        };
        /** BlockedAnswer */
        BlockedAnswer: {
            succeeded: boolean;
            users: components["schemas"]["UserProfile"][];
        };
        /** BoardResults */
        BoardResults: {
            /** Format: uint8 */
            boardSize: number;
            /** Format: uint64 */
            draws: number;
            /** Format: uint64 */
            losses: number;
            /** Format: uint64 */
            wins: number;
        };
        /**
         * Bot
         * @description An account on which a program plays.
         */
        Bot: {
            /** Format: date-time */
            botSince: string;
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** @description Whether its program is connected and can answer an invitation. */
            online: boolean;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /**
             * Format: uint32
             * @description Counted from 1, among bots; absent for a provisional rating.
             */
            rank?: number;
            /** @description From games with other bots. */
            rating: components["schemas"]["Rating"];
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /** BotsAnswer */
        BotsAnswer: {
            /** @description Those with a certain rating, best first, then the others, newest first. */
            bots: components["schemas"]["Bot"][];
            pagination: components["schemas"]["Pagination"];
            succeeded: boolean;
        };
        /** BulkLog */
        BulkLog: {
            messages: components["schemas"]["ClientLog"][];
        };
        BulkLogAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "bulkLog";
            payload: components["schemas"]["BulkLog"];
        };
        /**
         * @description In an arena the board of a game grows with the level of its players: 3×3 at levels 1 and 2, 4×4 at 3 and 4, 5×5 at 5 and
         *     6, and 6×6 from level 7 on. The lower of both levels counts.
         * @enum {string}
         */
        ByLevel: "byLevel";
        /** CalendarAuthUrlAnswer */
        CalendarAuthUrlAnswer: {
            authUrl: string;
            succeeded: boolean;
        };
        /** CalendarStatusAnswer */
        CalendarStatusAnswer: {
            /** @description Calendars can be connected on this server. */
            configured: boolean;
            connected: boolean;
            succeeded: boolean;
        };
        /** CancelEvent */
        CancelEvent: {
            /** Format: uuid */
            eventId: string;
        };
        CancelEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "cancel_event";
            payload: components["schemas"]["CancelEvent"];
        };
        /** CancelGame */
        CancelGame: {
            /** Format: uuid */
            gameId: string;
            /** Format: uuid */
            userId?: string;
        };
        /** CancelGameAction */
        CancelGameAction: {
            /** Format: uuid */
            gameId: string;
            /** Format: uuid */
            userId?: string;
        };
        CancelGameActionAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "cancel_game";
            payload: components["schemas"]["CancelGameAction"];
        };
        /** CancelMatchmaking */
        CancelMatchmaking: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId?: string;
        };
        /**
         * @description Why a game that waited was called off.
         * @enum {string}
         */
        CancelReason: "withdrawn" | "declined" | "expired";
        /** CancelSubscription */
        CancelSubscription: {
            /** @description A number is taken too. */
            planId?: string;
        };
        CancelSubscriptionAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "cancel_subscription";
            payload: components["schemas"]["CancelSubscription"];
        };
        /**
         * ChangeEmail
         * @description By username, or by an email that its owner confirmed. The new email is not confirmed; the one before, if it
         *     was, gets a letter that takes it back within 7 days.
         */
        ChangeEmail: {
            account: string;
            newEmail: string;
            reason: string;
        };
        ChangeEmailAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "change_email";
            payload: components["schemas"]["ChangeEmail"];
        };
        /** ChangePassword */
        ChangePassword: {
            currentPassword: string;
            newPassword: string;
        };
        /** ChangePlan */
        ChangePlan: {
            /** @description A number is taken too. */
            planId: string;
        };
        ChangePlanAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "change_plan";
            payload: components["schemas"]["ChangePlan"];
        };
        /**
         * CheckEntry
         * @description The conditions of entry of an event, and whether the caller meets them.
         */
        CheckEntry: {
            /** Format: uuid */
            eventId: string;
        };
        /**
         * CheckIn
         * @description Checks in the caller, who is signed up, or undoes it: while the event's check-in is open.
         */
        CheckIn: {
            /** @description True if absent. */
            checkedIn?: boolean;
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId?: string;
        };
        CheckInAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "check_in";
            payload: components["schemas"]["CheckIn"];
        };
        /**
         * CheckInPlayer
         * @description Checks in a player who is signed up, or undoes it. Once the event has started, a player who did not check in
         *     plays from the next round.
         */
        CheckInPlayer: {
            /** @description True if absent. */
            checkedIn?: boolean;
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId: string;
        };
        CheckInPlayerAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "check_in_player";
            payload: components["schemas"]["CheckInPlayer"];
        };
        /**
         * CheckLoginActivity
         * @description The session may have ended: the client is to ask whether it still is signed in.
         */
        CheckLoginActivity: {
            /** @description Why the session ended, if the account was suspended. */
            suspension?: components["schemas"]["Suspension"];
        };
        /** CheckLoginAnswer */
        CheckLoginAnswer: {
            /**
             * Format: uint64
             * @description Games that a guest has, and may bring along when signing in to an account. Only for guests.
             */
            guestGames?: number;
            isLogIn: boolean;
            succeeded: boolean;
            user?: components["schemas"]["User"];
        };
        /**
         * CheckPasswordLink
         * @description Asks about an operator's one-time link, or sets a new password with it.
         */
        CheckPasswordLink: {
            /** @description What stands behind the `#` of the link. */
            token: string;
        };
        /** CheckPlayerAnswer */
        CheckPlayerAnswer: {
            isEliminated: boolean;
            player?: components["schemas"]["Player"];
            succeeded: boolean;
            /** @description Why they were taken out of the event room; absent unless they were, and once they are back. */
            takenOut?: string;
        };
        /** CheckPlayerForEvent */
        CheckPlayerForEvent: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId: string;
        };
        /**
         * ClaimSeat
         * @description Takes the open seat of an invite game: whoever comes first has it.
         */
        ClaimSeat: {
            /** Format: uuid */
            gameId: string;
            inviteToken: string;
        };
        ClaimSeatAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "claim_seat";
            payload: components["schemas"]["ClaimSeat"];
        };
        /**
         * ClaimWin
         * @description Ends an invite game whose other player has been away for the whole countdown.
         */
        ClaimWin: {
            /** Format: uuid */
            gameId: string;
        };
        ClaimWinAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "claim_win";
            payload: components["schemas"]["ClaimWin"];
        };
        /**
         * @description A field of a log record that a client may claim.
         * @enum {string}
         */
        ClaimedField: "platform" | "sessionId" | "requestId";
        /** ClearEvent */
        ClearEvent: {
            /** Format: uuid */
            userId: string;
        };
        ClearEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "clear_event";
            payload: components["schemas"]["ClearEvent"];
        };
        /** ClearLogs */
        ClearLogs: {
            /**
             * Format: date-time
             * @description Only what is older.
             */
            before?: string;
        };
        ClearLogsAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "clearLogs";
            payload: components["schemas"]["ClearLogs"];
        };
        /** ClearLogsAnswer */
        ClearLogsAnswer: {
            /** Format: uint64 */
            cleared: number;
            succeeded: boolean;
        };
        ClientFrame: {
            data: components["schemas"]["Authenticate"];
            /** @enum {string} */
            event: "authenticate";
            id?: string;
        } | {
            data: components["schemas"]["JoinEventRoom"];
            /** @enum {string} */
            event: "joinEventRoom";
            id?: string;
        } | {
            data: components["schemas"]["LeaveEventRoom"];
            /** @enum {string} */
            event: "leaveEventRoom";
            id?: string;
        } | {
            data: components["schemas"]["FindMatch"];
            /** @enum {string} */
            event: "findMatch";
            id?: string;
        } | {
            data: components["schemas"]["CancelMatchmaking"];
            /** @enum {string} */
            event: "cancelMatchmaking";
            id?: string;
        } | {
            data: components["schemas"]["JoinGame"];
            /** @enum {string} */
            event: "joinGame";
            id?: string;
        } | {
            data: components["schemas"]["MakeMove"];
            /** @enum {string} */
            event: "makeMove";
            id?: string;
        } | {
            data: components["schemas"]["ForfeitGame"];
            /** @enum {string} */
            event: "forfeitGame";
            id?: string;
        } | {
            data: components["schemas"]["LeaveGameRoom"];
            /** @enum {string} */
            event: "leaveGameRoom";
            id?: string;
        } | {
            data: components["schemas"]["CancelGame"];
            /** @enum {string} */
            event: "cancelGame";
            id?: string;
        } | {
            data: components["schemas"]["SpectateGame"];
            /** @enum {string} */
            event: "spectateGame";
            id?: string;
        } | {
            data: components["schemas"]["PlayAgain"];
            /** @enum {string} */
            event: "playAgain";
            id?: string;
        } | {
            data: components["schemas"]["React"];
            /** @enum {string} */
            event: "react";
            id?: string;
        } | {
            data: components["schemas"]["SubscribeLogs"];
            /** @enum {string} */
            event: "subscribeLogs";
            id?: string;
        } | {
            data: components["schemas"]["SubscribeLiveGames"];
            /** @enum {string} */
            event: "subscribeLiveGames";
            id?: string;
        } | {
            data: components["schemas"]["WatchLive"];
            /** @enum {string} */
            event: "watchLive";
            id?: string;
        } | {
            data: components["schemas"]["UnwatchLive"];
            /** @enum {string} */
            event: "unwatchLive";
            id?: string;
        } | {
            data: components["schemas"]["WatchPresence"];
            /** @enum {string} */
            event: "watchPresence";
            id?: string;
        } | {
            data: components["schemas"]["UnwatchPresence"];
            /** @enum {string} */
            event: "unwatchPresence";
            id?: string;
        } | {
            data: components["schemas"]["QuickMatchJoin"];
            /** @enum {string} */
            event: "quickMatchJoin";
            id?: string;
        } | {
            data: components["schemas"]["QuickMatchLeave"];
            /** @enum {string} */
            event: "quickMatchLeave";
            id?: string;
        };
        /**
         * ClientLog
         * @description One record of a client.
         */
        ClientLog: {
            context?: string;
            /** @description In whatever form the client writes it; the record has the server's time. */
            date?: string;
            fileName?: string;
            isError?: boolean;
            level: components["schemas"]["LogLevel"];
            message: string;
            /** @description `web`, if absent. */
            platform?: string;
            requestId?: string;
            sessionId?: string;
            stack?: string;
            /** @description As `date`. */
            timestamp?: string;
        };
        ClientLogAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "log";
            payload: components["schemas"]["ClientLog"];
        };
        /** CloseReport */
        CloseReport: {
            /** @description For other admins; may be empty. */
            note: string;
            outcome: components["schemas"]["ReportOutcome"];
            /** Format: uuid */
            reportId: string;
        };
        CloseReportAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "close_report";
            payload: components["schemas"]["CloseReport"];
        };
        /**
         * Cluster
         * @description The nodes of the cluster.
         */
        Cluster: Record<string, never>;
        /** ClusterAnswer */
        ClusterAnswer: {
            /** @description This server is a node of a cluster. */
            enabled: boolean;
            /** @description By name; empty on a server that runs alone. */
            nodes: components["schemas"]["ClusterNode"][];
            succeeded: boolean;
        };
        /**
         * ClusterNode
         * @description What a node says of itself; what is absent is not known of one that is away.
         */
        ClusterNode: {
            /** @description Why it stores no further entries, in words. */
            blocked?: string;
            /** @description Only members lead; the log keeps what they still need. */
            isMember: boolean;
            /**
             * Format: uint64
             * @description Entries of the log that are not on its disk yet.
             */
            lag?: number;
            name: string;
            /**
             * Format: uint64
             * @description The last entry of the log that is on its disk.
             */
            position?: number;
            role: components["schemas"]["NodeRole"];
            /**
             * Format: uint64
             * @description Open websockets of clients that are connected to it.
             */
            sockets?: number;
            /** Format: date-time */
            startedAt?: string;
            /** @description It leads, but cannot renew its lease and accepts nothing until it can. */
            suspended: boolean;
            version?: string;
        };
        /**
         * ConcludeEvent
         * @description Makes the winners of an ended event final, when no game is left; also again after it was reopened.
         */
        ConcludeEvent: {
            /** Format: uuid */
            eventId: string;
        };
        ConcludeEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "conclude_event";
            payload: components["schemas"]["ConcludeEvent"];
        };
        /** ConfirmTotp */
        ConfirmTotp: {
            /** @description The six digits of the authenticator app. */
            code: string;
        };
        /** Correction */
        Correction: {
            after?: components["schemas"]["Counts"];
            /** Format: date-time */
            at: string;
            /** @description Absent, as what came after it, for a correction by an older version. */
            before?: components["schemas"]["Counts"];
            /** @description A username, or the name of an operator token. */
            by: string;
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            reason?: string;
            /** Format: uuid */
            userId: string;
            username: string;
            what: components["schemas"]["CorrectionKind"];
        };
        /**
         * @description What an admin corrected: a player's level, wins and losses, a win or loss more, that the player takes part, or has
         *     checked in.
         * @enum {string}
         */
        CorrectionKind: "standing" | "result" | "removal" | "checkIn" | "checkInUndone";
        /** Counts */
        Counts: {
            /** Format: uint32 */
            level: number;
            /** Format: uint32 */
            losses: number;
            /** Format: uint32 */
            wins: number;
        };
        /**
         * CreateAdmin
         * @description Makes an account an admin; with a password the account is made if there is none.
         */
        CreateAdmin: {
            email: string;
            password: string;
            username: string;
        };
        CreateAdminAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "create_admin";
            payload: components["schemas"]["CreateAdmin"];
        };
        /**
         * CreateBackup
         * @description Begins a backup; `backup` of the overview tells of it.
         */
        CreateBackup: {
            /** @description A folder or `s3://BUCKET/PREFIX` for this one; only the token in the data folder may choose it. */
            to?: string;
        };
        CreateBackupAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "create_backup";
            payload: components["schemas"]["CreateBackup"];
        };
        /** CreateEvent */
        CreateEvent: {
            /**
             * Format: uint32
             * @description With an account of so many days, at most 3650.
             */
            accountAgeDays?: number;
            /** @description And nobody but these: usernames or user ids, at most 1000. Told only to those who may change the event. */
            allowList?: string[];
            /**
             * @description The board on which the games of a match begin, 3 to 6; 3 if absent. `byLevel` in an arena, and only there: it has no
             *     other board.
             */
            boardSize?: components["schemas"]["EventBoard"];
            /** @description Whether bots may enter; false if absent. */
            botsAllowed?: boolean;
            /**
             * Format: uint32
             * @description Minutes before the start at which check-in opens, at most 120; no check-in if absent. Players who have not
             *     checked in when the event starts are not paired; some events still let them join late.
             */
            checkInMinutes?: number;
            /** @description The time control of all its games; 15 s a turn if absent. */
            clock?: components["schemas"]["QuickMatchClock"];
            description?: string;
            /** @description In a round robin, everybody meets everybody twice. False if absent. */
            doubleRounds?: boolean;
            /** Format: date-time */
            endTime?: string;
            /** @description Drafted, if given. */
            eventState?: components["schemas"]["EventState"];
            /** @description Open if absent. */
            eventType?: components["schemas"]["EventType"];
            /** @description Arena if absent. What follows is of the other formats, but for the board by the level. */
            format?: components["schemas"]["EventFormat"];
            /**
             * @description Entered with a join code, and shown to nobody else. Always so for a member's event, which the member hosts; false if
             *     absent for an admin's.
             */
            isPrivate?: boolean;
            /**
             * Format: uint32
             * @description Games of a match: 1, or 2 with the seats swapped; 2 if absent. After one win each a third game decides.
             */
            matchGames?: number;
            /**
             * Format: uint32
             * @description 0 never eliminates; 3 if absent.
             */
            maxLosses?: number;
            /**
             * Format: uint32
             * @description Of every format: who signs up when as many have is refused.
             */
            maxPlayers?: number;
            /**
             * Format: uint32
             * @description And of at most this.
             */
            maxRating?: number;
            /**
             * Format: uint32
             * @description With so many finished games, at most 100000.
             */
            minGames?: number;
            /**
             * Format: uint32
             * @description Who may enter: with a rating from 100 to 4000, provisional or not, of at least this.
             */
            minRating?: number;
            prize?: string;
            /** @description Games between players on one network are rated: the organiser says that they are different people. False if absent. */
            ratedOnOneNetwork?: boolean;
            /**
             * @description Fixed times of the stage rounds after the first, which begins at the start: no round begins before its own, nor before
             *     the last one has ended. In order, between start and end, at most one for each of these rounds. Those of rounds that are
             *     not played are ignored; a round without one begins when the last one ended.
             */
            roundTimes?: string[];
            /**
             * Format: uint32
             * @description Stage rounds of a Swiss, 1 to 32. By the number of players if absent: ceil(log2 n) + 1.
             */
            rounds?: number;
            /** Format: date-time */
            startTime?: string;
            /** @description In a knockout, those who lost the semi-finals play for the third place. False if absent. */
            thirdPlace?: boolean;
            /** @description Trimmed; required. */
            title: string;
        };
        CreateEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "create_event";
            payload: components["schemas"]["CreateEvent"];
        };
        /**
         * CreateGame
         * @description Makes an invite game. The inviter is X. With one player
         *     the second seat is open and the answer carries an `inviteToken`.
         */
        CreateGame: {
            /**
             * Format: uint8
             * @description 3 to 6; 3 if absent.
             */
            boardSize?: number;
            /** @description `none` if absent. */
            clock?: components["schemas"]["TimeControl"];
            /** @description `remote-` and the game's id, if given. */
            eventId?: string;
            /**
             * Format: uuid
             * @description A random UUID; the server makes one if it is absent.
             */
            gameId?: string;
            gameType: components["schemas"]["GameType"];
            /** Format: uuid */
            initiatorUserId?: string;
            /**
             * Format: uint32
             * @description 1, if given.
             */
            level?: number;
            /** @description Tells the invited player; true if absent. */
            notify?: boolean;
            players: components["schemas"]["PlayerRef"][];
        };
        CreateGameAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "create_game";
            payload: components["schemas"]["CreateGame"];
        };
        /** CreateGameAnswer */
        CreateGameAnswer: {
            game: components["schemas"]["Game"];
            succeeded: boolean;
        };
        /**
         * CreatePasswordLink
         * @description Makes a one-time link, good for 24 hours, by which the owner of an account sets a new password. The account is named by
         *     its username, or by an email that its owner confirmed. They are told by email. A link made before no longer works.
         */
        CreatePasswordLink: {
            account: string;
            reason: string;
            /** @description For somebody who lost the second factor as well: it is removed when the link is used. */
            removeSecondFactor?: boolean;
        };
        CreatePasswordLinkAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "create_password_link";
            payload: components["schemas"]["CreatePasswordLink"];
        };
        /**
         * CreatePersonalToken
         * @description Makes a personal token.
         */
        CreatePersonalToken: {
            /**
             * Format: uint32
             * @description 1 to 365; 90 if it is absent.
             */
            expiresInDays?: number;
            /** @description What its owner calls it, 1 to 40 characters. */
            name: string;
            /** @description At least one. */
            scopes: components["schemas"]["ProgramScope"][];
        };
        /**
         * CreatePlayer
         * @description An admin signs somebody up, also for an event that has started.
         */
        CreatePlayer: {
            /** Format: uuid */
            eventId: string;
            /**
             * Format: uuid
             * @description Who; without it the one with the username.
             */
            userId?: string;
            /** @description Also a former one. */
            username?: string;
        };
        CreatePlayerAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "create_player";
            payload: components["schemas"]["CreatePlayer"];
        };
        /**
         * CreateProfile
         * @description Completes a fresh account.
         */
        CreateProfile: {
            displayName?: string;
            firstName?: string;
            lastName?: string;
            /** Format: uuid */
            userId?: string;
        };
        CreateProfileAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "create_profile";
            payload: components["schemas"]["CreateProfile"];
        };
        /** CreateSeries */
        CreateSeries: {
            /**
             * Format: uint32
             * @description Events are made so many days before they start, 1 to 90, and at most the next 20; 28 if absent.
             */
            daysAhead?: number;
            /** @description At most 4000 characters. */
            description?: string;
            /**
             * Format: uint32
             * @description From start to end, 1 to 10080.
             */
            durationMinutes: number;
            /** @description The earliest start, and the time of day of all, in the time zone: `2027-03-05T19:00`. */
            firstStart: string;
            /** @description 1 to 120 characters, trimmed. */
            name: string;
            /**
             * @description What the places of an event are worth, from the first: 1 to 64 figures, none above the one before or 1000.
             *     10, 7, 5, 3, 2, 1 if absent.
             */
            points?: number[];
            /** @description An RRULE of RFC 5545, such as `FREQ=WEEKLY;BYDAY=FR`: at most 200 characters, no finer than daily, without times of day. */
            rule: string;
            /** @description What its events are made from: the fields of `create_event` without state, times, privacy. */
            template: components["schemas"]["CreateEvent"];
            /** @description A name of the IANA's list, such as `Europe/Berlin`. */
            timeZone: string;
        };
        CreateSeriesAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "create_series";
            payload: components["schemas"]["CreateSeries"];
        };
        /**
         * CreateSetupIntent
         * @description Begins to add something to pay with; a browser goes on with the secret.
         */
        CreateSetupIntent: Record<string, never>;
        CreateSetupIntentAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "create_setup_intent";
            payload: components["schemas"]["CreateSetupIntent"];
        };
        /**
         * CreateSubscriptionItem
         * @description Begins a purchase.
         */
        CreateSubscriptionItem: {
            /** @description A number is taken too. */
            planId: string;
            /**
             * Format: uuid
             * @description The caller, if given.
             */
            user?: string;
        };
        CreateSubscriptionItemAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "create_subscription_iten";
            payload: components["schemas"]["CreateSubscriptionItem"];
        };
        /**
         * CreateSubscriptionItemAnswer
         * @description With a failed renewal of the same plan, the secret pays what is owed.
         */
        CreateSubscriptionItemAnswer: {
            clientSecret: string;
            succeeded: boolean;
        };
        /** CreateToken */
        CreateToken: {
            /**
             * Format: uint32
             * @description Days, 90 if absent.
             */
            expiresInDays?: number;
            /** @description No two tokens have the same name; upper and lower case count as the same. */
            name: string;
            scope: components["schemas"]["TokenScope"];
        };
        CreateTokenAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "create_token";
            payload: components["schemas"]["CreateToken"];
        };
        /**
         * CreateTokenAnswer
         * @description The secret is shown this once.
         */
        CreateTokenAnswer: {
            /** Format: date-time */
            expiresAt: string;
            succeeded: boolean;
            token: string;
            tokenId: string;
        };
        /**
         * CreateWebhook
         * @description Makes a webhook: from now on, its receiver is notified of what happens. Its secret is shown only in the answer.
         */
        CreateWebhook: {
            /** @description The messages to send, at least one kind. */
            kinds: components["schemas"]["WebhookKind"][];
            /** @description Where messages are sent: https://, at a public address. */
            url: string;
        };
        CreateWebhookAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "create_webhook";
            payload: components["schemas"]["CreateWebhook"];
        };
        /** CreateWebhookAnswer */
        CreateWebhookAnswer: {
            /** @description The receiver checks signatures with it. It is shown only here. */
            secret: string;
            succeeded: boolean;
            webhook: components["schemas"]["Webhook"];
        };
        /** DeleteAccount */
        DeleteAccount: {
            /** @description A proof. Without it the last one must be at most 10 minutes old; guests need none. */
            password?: string;
        };
        /** DeleteEvent */
        DeleteEvent: {
            /** Format: uuid */
            eventId: string;
        };
        DeleteEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "delete_event";
            payload: components["schemas"]["DeleteEvent"];
        };
        /** DeletePersonalToken */
        DeletePersonalToken: {
            tokenId: string;
        };
        /**
         * DeletePersonalTokensOf
         * @description Deletes one of a member's personal tokens, or all.
         */
        DeletePersonalTokensOf: {
            /** @description All if it is absent. */
            tokenId?: string;
            /** Format: uuid */
            userId: string;
        };
        DeletePersonalTokensOfAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "delete_personal_tokens";
            payload: components["schemas"]["DeletePersonalTokensOf"];
        };
        /**
         * DeleteSeries
         * @description Removes a series that has made no event.
         */
        DeleteSeries: {
            /** Format: uuid */
            seriesId: string;
        };
        DeleteSeriesAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "delete_series";
            payload: components["schemas"]["DeleteSeries"];
        };
        /**
         * DeleteUser
         * @description As its owner's deletion; it cannot be undone. Without an operator token the last proof must be at most 10 minutes
         *     old.
         */
        DeleteUser: {
            reason: string;
            /** Format: uuid */
            userId: string;
        };
        DeleteUserAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "delete_user";
            payload: components["schemas"]["DeleteUser"];
        };
        /**
         * DeleteUserProfile
         * @description As `POST delete/account`.
         */
        DeleteUserProfile: {
            password?: string;
            /** Format: uuid */
            userId: string;
        };
        DeleteUserProfileAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "delete_user_profile";
            payload: components["schemas"]["DeleteUserProfile"];
        };
        /**
         * DeleteWebhook
         * @description Deletes a webhook with its deliveries. Waiting ones are not sent.
         */
        DeleteWebhook: {
            /** Format: uuid */
            webhookId: string;
        };
        DeleteWebhookAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "delete_webhook";
            payload: components["schemas"]["DeleteWebhook"];
        };
        /** DeletedTokensAnswer */
        DeletedTokensAnswer: {
            /** Format: uint32 */
            deleted: number;
            succeeded: boolean;
        };
        /**
         * @description The state of a delivery.
         * @enum {string}
         */
        DeliveryState: "waiting" | "delivered" | "failed" | "discarded";
        /**
         * DemoteUser
         * @description By username, or by an email that its owner confirmed.
         */
        DemoteUser: {
            account: string;
        };
        DemoteUserAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "demote_user";
            payload: components["schemas"]["DemoteUser"];
        };
        /**
         * DirectorAct
         * @description What a director did about a match or a player.
         */
        DirectorAct: {
            /** Format: date-time */
            at: string;
            /** @description The result of the match until then; absent if it had none, and for an act about a player. */
            before?: components["schemas"]["MatchResult"];
            /** Format: uint32 */
            board?: number;
            /** @description A username, or the name of an operator token. */
            by: string;
            /** @description Those of the match, or the player. */
            players: components["schemas"]["StagePlayer"][];
            reason: string;
            /**
             * Format: uint32
             * @description The round of the match, from 1; absent, as its board, for an act about a player.
             */
            round?: number;
            what: components["schemas"]["DirectorActKind"];
        };
        /** @enum {string} */
        DirectorActKind: "setResult" | "replayMatch" | "withdrawPlayer" | "disqualifyPlayer" | "reinstatePlayer";
        /** DisplayNameAnswer */
        DisplayNameAnswer: {
            displayName: string;
            succeeded: boolean;
        };
        /**
         * DisqualifyPlayer
         * @description Takes a player out as `withdraw_player` does, and keeps them from being a winner.
         */
        DisqualifyPlayer: {
            /** Format: uuid */
            eventId: string;
            reason: string;
            /** Format: uuid */
            userId: string;
        };
        DisqualifyPlayerAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "disqualify_player";
            payload: components["schemas"]["DisqualifyPlayer"];
        };
        /**
         * DuplicateEvent
         * @description Makes a draft with what an event was made from.
         */
        DuplicateEvent: {
            /** Format: uuid */
            eventId: string;
        };
        DuplicateEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "duplicate_event";
            payload: components["schemas"]["DuplicateEvent"];
        };
        /** EmailChangedAnswer */
        EmailChangedAnswer: {
            succeeded: boolean;
            user: components["schemas"]["User"];
        };
        /**
         * Empty
         * @description A body that says nothing; an absent body counts as this one.
         */
        Empty: Record<string, never>;
        /** EndEvent */
        EndEvent: {
            /** Format: uuid */
            eventId: string;
        };
        EndEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "end_event";
            payload: components["schemas"]["EndEvent"];
        };
        /**
         * EndGame
         * @description A forfeit by the caller.
         */
        EndGame: {
            /** Format: uuid */
            gameId: string;
            /** Format: uuid */
            userId?: string;
        };
        EndGameAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "end_game";
            payload: components["schemas"]["EndGame"];
        };
        /**
         * @description Why a game ended.
         * @enum {string}
         */
        EndReason: "line" | "forfeit" | "timeout" | "noShow" | "disconnect" | "time" | "adjudicated" | "void" | "declined" | "removed";
        /**
         * EndSeries
         * @description It makes no more events. Those that were made take place.
         */
        EndSeries: {
            /** Format: uuid */
            seriesId: string;
        };
        EndSeriesAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "end_series";
            payload: components["schemas"]["EndSeries"];
        };
        /** EngineEvidence */
        EngineEvidence: {
            /**
             * Format: double
             * @description Information in the right moves of critical positions.
             */
            bits: number;
            /** @description Positions in which a line was one stone away. */
            immediate: components["schemas"]["FoundCount"];
            /**
             * Format: uint32
             * @description Positions that say nothing: lost, or most moves keep their value.
             */
            open: number;
            /** @description At most 30, the latest first. */
            positions: components["schemas"]["EnginePosition"][];
            score: components["schemas"]["EngineScore"];
            /** @description Critical positions of 3×3, which have no part in the score. */
            smallBoard: components["schemas"]["FoundCount"];
            times: components["schemas"]["MoveTimes"];
            /**
             * Format: uint32
             * @description Positions that the solver did not solve within its bound.
             */
            unknown: number;
        };
        /** EngineEvidenceAnswer */
        EngineEvidenceAnswer: {
            /** @description Absent before the first rated game was compared. */
            evidence?: components["schemas"]["EngineEvidence"];
            succeeded: boolean;
        };
        /**
         * EnginePosition
         * @description A hard position in which a right move was found.
         */
        EnginePosition: {
            /**
             * Format: date-time
             * @description The end of the game.
             */
            at: string;
            /** @description Before the move. */
            board: string[][];
            /**
             * Format: double
             * @description The share of players of that rating that find one of these, 0 to 1.
             */
            expected: number;
            /** Format: uuid */
            gameId: string;
            /** @description Rows and columns of all moves that keep the position's value. */
            keeping: number[][];
            /** @description Row and column of the move, from 0. */
            played: number[];
            /**
             * Format: uint16
             * @description Of the game's moves, from 1.
             */
            ply: number;
            /**
             * Format: uint8
             * @description From 1.
             */
            round: number;
            symbol: components["schemas"]["Symbol"];
            /** Format: int64 */
            tookMs: number;
        };
        /**
         * EngineScore
         * @description How an account's moves compare with those of players of the same rating.
         */
        EngineScore: {
            /**
             * Format: double
             * @description The share of players of that rating who find as many critical positions or more, 0 to 1.
             */
            chance: number;
            /** @description Critical positions, and in how many a right move was found. */
            critical: components["schemas"]["FoundCount"];
            /**
             * Format: double
             * @description In how many players of that rating find one.
             */
            expected: number;
            /**
             * Format: uint32
             * @description Rated games that were compared: the latest hundred.
             */
            games: number;
            level: components["schemas"]["EngineScoreLevel"];
            /**
             * Format: double
             * @description In standard deviations.
             */
            score: number;
            /** Format: date-time */
            updatedAt: string;
            user: components["schemas"]["UserProfile"];
        };
        /**
         * @description What a score comes to.
         * @enum {string}
         */
        EngineScoreLevel: "too-few" | "usual" | "unusual";
        /** EngineScoresAnswer */
        EngineScoresAnswer: {
            pagination: components["schemas"]["Pagination"];
            scores: components["schemas"]["EngineScore"][];
            succeeded: boolean;
        };
        /**
         * EntryAnswer
         * @description Empty where anybody may enter.
         */
        EntryAnswer: {
            conditions: components["schemas"]["EntryRequirement"][];
            succeeded: boolean;
        };
        /**
         * @description A condition of entry, with a figure in all but the last two.
         * @enum {string}
         */
        EntryCondition: "minRating" | "maxRating" | "minGames" | "accountAge" | "allowList" | "people";
        /**
         * EntryRequirement
         * @description A condition of entry, and how the caller stands to it.
         */
        EntryRequirement: {
            condition: components["schemas"]["EntryCondition"];
            isMet: boolean;
            /**
             * Format: uint32
             * @description What the caller has; absent of the list.
             */
            own?: number;
            /** @description Why it keeps the caller out; absent if it does not. */
            refusal?: string;
            /**
             * Format: uint32
             * @description What is asked for; absent of the list.
             */
            wanted?: number;
        };
        /** ErrorMessage */
        ErrorMessage: {
            errorCode: string;
            /** @description The event of the frame that caused it, where it could be read. */
            event?: string;
            message: string;
        };
        /** Event */
        Event: {
            /** Format: uuid */
            _id: string;
            /** Format: uint32 */
            accountAgeDays?: number;
            /** @description Their usernames, of one event for those who may change it. */
            allowList?: string[];
            /** @description What its admins told those who take part: the latest 20, the newest last. */
            announcements: components["schemas"]["Announcement"][];
            /** @description As of `create_event`: `byLevel` in an arena. */
            boardSize: components["schemas"]["EventBoard"];
            /** @description True if bots may enter; absent otherwise. */
            botsAllowed?: boolean;
            /**
             * @description With which the calendar file of a private event is fetched without a sign-in, until it has another join code; of one
             *     event, for its host and those who have entered.
             */
            calendarToken?: string;
            /**
             * Format: uint32
             * @description Minutes before the start at which check-in opens; absent if there is no check-in.
             */
            checkInMinutes?: number;
            /**
             * Format: uint32
             * @description How many players have checked in; also absent once the event is over.
             */
            checkedInCount?: number;
            /** @description The time control of all its games. */
            clock: components["schemas"]["QuickMatchClock"];
            /** @description The winners are final; also true for a cancelled event. */
            concluded: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Between the end and the winners: the moment by which the last games are decided. Absent while a concluded
             *     event is open again for corrections.
             */
            decidedBy?: string;
            description: string;
            doubleRounds?: boolean;
            /** Format: date-time */
            endTime?: string;
            /**
             * Format: date-time
             * @description When it really ended, or was cancelled.
             */
            endedAt?: string;
            /** Format: uuid */
            eventId: string;
            eventState: components["schemas"]["EventState"];
            eventType: components["schemas"]["EventType"];
            format: components["schemas"]["EventFormat"];
            /**
             * Format: uint32
             * @description Games that wait for their players or are played.
             */
            gamesInPlay: number;
            /** @description Whose event it is; absent in an event of the admins. */
            host?: components["schemas"]["EventHost"];
            /** @description Only those on its list enter; absent otherwise. */
            isListedOnly?: boolean;
            /** @description Who signed up, its host and admins see it, and nobody else. */
            isPrivate: boolean;
            /** @description With which a private event is entered; for its host and admins. */
            joinCode?: string;
            /**
             * Format: uint32
             * @description As of `create_event`; absent in an arena, as what follows.
             */
            matchGames?: number;
            /** Format: uint32 */
            maxLosses: number;
            /**
             * Format: uint32
             * @description Absent where the server's limit alone counts.
             */
            maxPlayers?: number;
            /** Format: uint32 */
            maxRating?: number;
            /** Format: uint32 */
            minGames?: number;
            /**
             * Format: uint32
             * @description The conditions of entry, as of `create_event`; absent where there is none.
             */
            minRating?: number;
            /**
             * Format: uint32
             * @description How many have joined to play.
             */
            participantCount: number;
            /** @description No further stage round begins until the event is resumed; absent otherwise. */
            paused?: boolean;
            prize?: string;
            /** @description Games between players on one network are rated: the organiser says that they are different people. */
            ratedOnOneNetwork: boolean;
            /** @description As of `create_event`; absent without fixed times. */
            roundTimes?: string[];
            /**
             * Format: uint32
             * @description Stage rounds of a Swiss; absent where their number follows from that of the players.
             */
            rounds?: number;
            /**
             * Format: uuid
             * @description Of which series it is.
             */
            seriesId?: string;
            /**
             * Format: uint64
             * @description How many are registered.
             */
            signupCount: number;
            /** Format: date-time */
            startTime?: string;
            /**
             * Format: date-time
             * @description When it really started.
             */
            startedAt?: string;
            thirdPlace?: boolean;
            title: string;
            /** Format: date-time */
            updatedAt: string;
            winners: components["schemas"]["Winner"][];
        };
        /**
         * EventAnnouncement
         * @description An admin tells those who take part.
         */
        EventAnnouncement: {
            /** Format: date-time */
            at: string;
            /** Format: uuid */
            eventId: string;
            message: string;
            /** @description Of the event. */
            title: string;
        };
        /** EventAnswer */
        EventAnswer: {
            event: components["schemas"]["Event"];
            succeeded: boolean;
        };
        /** @description The board of an event: of so many cells a side, or by the level. */
        EventBoard: number | components["schemas"]["ByLevel"];
        /**
         * EventConcluded
         * @description The winners of an ended event are final.
         */
        EventConcluded: {
            /** Format: uuid */
            eventId: string;
            winners: components["schemas"]["Winner"][];
        };
        /** EventFilter */
        EventFilter: {
            eventState?: components["schemas"]["EventStates"];
            eventType?: components["schemas"]["EventType"];
            /** @description Only those that the caller hosts, in every state. */
            hosted?: boolean;
            /** @description Only those that the caller is signed up for and that are not over; none for visitors. */
            signedUp?: boolean;
            /** @description In title or description. */
            text?: string;
        };
        /**
         * @description Arena: whoever is free is paired with somebody of the same level, until the event ends. The others are played in stage
         *     rounds. Knockout: who loses a match is out. Swiss: everybody plays each round, against somebody with as many points.
         *     Round robin: everybody meets everybody.
         * @enum {string}
         */
        EventFormat: "arena" | "knockout" | "swiss" | "roundRobin";
        /**
         * EventHost
         * @description A member who hosts an event.
         */
        EventHost: {
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /**
         * EventInvitation
         * @description Somebody who is invited to a private event.
         */
        EventInvitation: {
            /** Format: date-time */
            at: string;
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            state: components["schemas"]["InvitationState"];
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /** EventJoined */
        EventJoined: {
            /** @description What `stillThere` told of that loss; present with it. */
            absence?: components["schemas"]["StillThere"];
            /** Format: uuid */
            eventId: string;
            player: components["schemas"]["Player"];
            /** Format: uint32 */
            queueSize: number;
            /** @description The last game was lost by absence: the page asks, and searches only on a press. Absent otherwise. */
            stillThere?: boolean;
        };
        /**
         * EventNews
         * @description What became of an event that one signed up for, or of one's own part in it.
         */
        EventNews: {
            /**
             * Format: date-time
             * @description As planned now.
             */
            endTime?: string;
            /** Format: uuid */
            eventId: string;
            news: components["schemas"]["EventNewsKind"];
            /** @description Why, in the words of who did it; absent where nobody said. */
            reason?: string;
            /**
             * Format: date-time
             * @description As planned now.
             */
            startTime?: string;
            title: string;
        };
        /**
         * @description What those who signed up for an event are told of.
         * @enum {string}
         */
        EventNewsKind: "cancelled" | "moved" | "added" | "removed" | "withdrawn" | "disqualified" | "reinstated" | "invited";
        /**
         * EventPlace
         * @description An event that a player took part in.
         */
        EventPlace: {
            /**
             * Format: date-time
             * @description When it started or is to start.
             */
            at?: string;
            /** Format: uuid */
            eventId: string;
            eventState: components["schemas"]["EventState"];
            /** Format: uint32 */
            level: number;
            /** Format: uint32 */
            losses: number;
            /**
             * Format: uint32
             * @description From 1, in the order of the leaderboard; absent before the first game.
             */
            place?: number;
            /**
             * Format: uint32
             * @description How many players the event has.
             */
            players: number;
            title: string;
            /** Format: uint32 */
            wins: number;
        };
        /**
         * EventReminder
         * @description An event that one signed up for starts.
         */
        EventReminder: {
            /** @description True if the recipient is asked to check in and has not yet; absent otherwise. */
            checkIn?: boolean;
            /** Format: uuid */
            eventId: string;
            /**
             * Format: uint32
             * @description Until the start; 0 once it has started.
             */
            minutes: number;
            title: string;
        };
        /** @enum {string} */
        EventState: "drafted" | "published" | "started" | "ended" | "cancelled";
        /**
         * EventStateChanged
         * @description An event has another state, or was edited: what a page shows of it is to be read again.
         */
        EventStateChanged: {
            /** Format: uuid */
            eventId: string;
            eventState: components["schemas"]["EventState"];
        };
        /** @description One state or a list of them. */
        EventStates: components["schemas"]["EventState"] | components["schemas"]["EventState"][];
        /** @enum {string} */
        EventType: "open" | "closed";
        /** EventsAnswer */
        EventsAnswer: {
            events: components["schemas"]["Event"][];
            pagination: components["schemas"]["Pagination"];
            succeeded: boolean;
        };
        /**
         * ExportAudit
         * @description The oldest first.
         */
        ExportAudit: {
            /**
             * Format: uint64
             * @description The `next` of the answer before; absent for the first.
             */
            after?: number;
            /**
             * Format: date-time
             * @description Leaves out entries from before.
             */
            since?: string;
        };
        /** ExportAuditAnswer */
        ExportAuditAnswer: {
            /** @description One entry a line, with its hash and that of the entry before it. */
            ndjson: string;
            /**
             * Format: uint64
             * @description Where the next part begins; absent after the last.
             */
            next?: number;
            succeeded: boolean;
        };
        /**
         * @description The format of exported games: one line of JSON per game, or text with tags.
         * @enum {string}
         */
        ExportFormat: "ndjson" | "notation";
        /**
         * ExportLogs
         * @description NDJSON comes as text.
         */
        ExportLogs: {
            filter?: components["schemas"]["LogFilter"];
        };
        /** ExportLogsAnswer */
        ExportLogsAnswer: {
            ndjson: string;
            succeeded: boolean;
        };
        /**
         * ExtendEvent
         * @description Moves the end of an event that is published or has started.
         */
        ExtendEvent: {
            /** Format: date-time */
            endTime: string;
            /** Format: uuid */
            eventId: string;
        };
        ExtendEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "extend_event";
            payload: components["schemas"]["ExtendEvent"];
        };
        /**
         * Failure
         * @description A call that failed. The HTTP status says the kind, `errorCode` the exact case.
         */
        Failure: {
            /** @description For a program, in kebab-case. */
            errorCode: string;
            /** @description For a person. */
            errorMessage: string;
            /** @description What is wrong with which field, where the status is 422. */
            fieldErrors?: {
                [key: string]: string;
            };
            /** @description Found again in the server's log. */
            requestId: string;
            /** @description The free plan does not allow it; Pro would (`join_event`). */
            requiresUpgrade?: boolean;
            /** @description Always false. */
            succeeded: boolean;
            /** @description Where the account is suspended. */
            suspension?: components["schemas"]["Suspension"];
        };
        /**
         * FindIds
         * @description Ids that begin so: at least four of their characters.
         */
        FindIds: {
            beginning: string;
            of: components["schemas"]["IdOf"];
        };
        /** FindMatch */
        FindMatch: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId?: string;
        };
        /**
         * FindUser
         * @description By exact username.
         */
        FindUser: {
            text: string;
        };
        /** FinishPasskey */
        FinishPasskey: {
            /** @description `PublicKeyCredential.toJSON()` of a new credential. */
            credential: unknown;
            /** @description What its owner calls it, 1 to 40 characters. */
            name: string;
        };
        /**
         * FinishPlanChange
         * @description Reports that a browser went on with the payment of a change, whatever came of it; the server asks the provider. A
         *     change that was not paid is given up.
         */
        FinishPlanChange: {
            /** @description A number is taken too. */
            planId: string;
        };
        FinishPlanChangeAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "finish_plan_change";
            payload: components["schemas"]["FinishPlanChange"];
        };
        /** ForfeitGame */
        ForfeitGame: {
            /** Format: uuid */
            gameId: string;
            /** Format: uuid */
            userId?: string;
        };
        /** FoundCount */
        FoundCount: {
            /** Format: uint32 */
            found: number;
            /** Format: uint32 */
            seen: number;
        };
        /**
         * FoundIdsAnswer
         * @description At most ten.
         */
        FoundIdsAnswer: {
            ids: string[];
            succeeded: boolean;
        };
        /**
         * FromPrice
         * @description The lowest price there is.
         */
        FromPrice: {
            currency: string;
            /**
             * Format: uint32
             * @description Of one paid period.
             */
            months: number;
            /**
             * Format: int64
             * @description In cents.
             */
            price: number;
        };
        /**
         * Game
         * @description A game in a list.
         */
        Game: {
            /** Format: uint8 */
            boardSize: number;
            clock: components["schemas"]["TimeControl"];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: uuid
             * @description Whose turn it is; absent while nobody may move.
             */
            currentTurn?: string;
            /** Format: uint32 */
            drawCount: number;
            /** Format: date-time */
            endedAt?: string;
            eventId: string;
            /** Format: uuid */
            gameId: string;
            gameType: components["schemas"]["GameType"];
            /** Format: uuid */
            initiatorUserId: string;
            inviteToken?: string;
            isDraw: boolean;
            /** @description The caller plays in it: it is opened to be played, never to be watched. Absent for others. */
            isOwn?: boolean;
            /** Format: uint32 */
            level: number;
            /**
             * Format: uint32
             * @description Moves of the present round so far.
             */
            moveCount?: number;
            notify: boolean;
            players: components["schemas"]["GamePlayerRef"][];
            /** @description The result counts for the players' ratings. Absent for invite games, which are never rated. */
            rated?: boolean;
            reason?: components["schemas"]["EndReason"];
            status: components["schemas"]["GameStatus"];
            /**
             * Format: uint32
             * @description How many people watch it; only in lists of games to watch, and of all live games.
             */
            watchers?: number;
            /** Format: uuid */
            winnerUserId?: string;
            /** @description The caller is to move. */
            yourTurn: boolean;
        };
        /** GameAnswer */
        GameAnswer: {
            game: components["schemas"]["GameState"];
            succeeded: boolean;
        };
        /** GameCancelled */
        GameCancelled: {
            /** Format: uuid */
            gameId: string;
            /** @description In words for whoever is told. */
            message: string;
            reason: components["schemas"]["CancelReason"];
            success: boolean;
            /**
             * Format: uuid
             * @description Who called it off; absent where nobody did.
             */
            userId?: string;
        };
        /**
         * GameDraw
         * @description A drawn round; in an event the game goes on as `newGameState`.
         */
        GameDraw: {
            /** Format: uuid */
            gameId: string;
            message: string;
            newGameState?: components["schemas"]["GameState"];
            /** Format: uint64 */
            version: number;
        };
        /** GameEnd */
        GameEnd: {
            /** @description As of the game's state. */
            decision?: string;
            eventId: string;
            forfeit: boolean;
            /** Format: uuid */
            forfeiter?: string;
            /** Format: uuid */
            gameId: string;
            gameType: components["schemas"]["GameType"];
            isDraw: boolean;
            message: string;
            reason: components["schemas"]["EndReason"];
            tournamentResult?: components["schemas"]["TournamentResult"];
            /** Format: uint64 */
            version: number;
            winner?: components["schemas"]["Symbol"];
            /** Format: uuid */
            winnerUserId?: string;
            winningLine?: number[][];
        };
        /** GameError */
        GameError: {
            error: string;
            /** Format: uuid */
            gameId?: string;
        };
        /** GameInvitation */
        GameInvitation: {
            from: components["schemas"]["GameInviter"];
            game: components["schemas"]["Game"];
        };
        /** GameInviter */
        GameInviter: {
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /** GameJoined */
        GameJoined: {
            error?: string;
            /** Format: uuid */
            gameId: string;
            gameState?: components["schemas"]["GameState"];
            /** @description Only while waiting. */
            message?: string;
            /**
             * Format: uuid
             * @description The finished game that this one was offered after.
             */
            previousGameId?: string;
            success: boolean;
            /**
             * Format: uint32
             * @description How many people watch; absent where that did not change.
             */
            watchers?: number;
        };
        /** GameMove */
        GameMove: {
            /**
             * Format: int64
             * @description Unix milliseconds.
             */
            at: number;
            /** Format: uint8 */
            col: number;
            /** Format: uint8 */
            row: number;
            symbol: components["schemas"]["Symbol"];
        };
        /** GamePlayer */
        GamePlayer: {
            /**
             * Format: int64
             * @description When the opponent may claim the win, or the server decides; Unix milliseconds.
             */
            absentUntil?: number;
            /** @description Is in the game right now. */
            connected: boolean;
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** @description Where the picture is, 128 pixels wide; absent without one. */
            profileUrl?: string;
            /** @description Absent for guests and deleted accounts. */
            rating?: components["schemas"]["PlayerRating"];
            symbol: components["schemas"]["Symbol"];
            /**
             * Format: int64
             * @description Milliseconds left for all further turns; absent unless the clock is `1+2`.
             */
            timeLeftMs?: number;
            /**
             * Format: int64
             * @description Milliseconds spent on own turns.
             */
            timeUsedMs: number;
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /** GamePlayerRef */
        GamePlayerRef: {
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /** @description Absent for guests and deleted accounts. */
            rating?: components["schemas"]["PlayerRating"];
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /** GameStarted */
        GameStarted: {
            /** Format: uuid */
            gameId: string;
            gameState: components["schemas"]["GameState"];
        };
        /**
         * GameState
         * @description A live game as its players see it. `board` is a grid of `X`, `O` and the empty string.
         */
        GameState: {
            board: string[][];
            /** Format: uint8 */
            boardSize: number;
            clock: components["schemas"]["TimeControl"];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: uuid
             * @description Whose turn it is; absent while nobody may move.
             */
            currentTurn?: string;
            /** @description Why an admin decided it so, in their words; both players see it. */
            decision?: string;
            /**
             * Format: uint32
             * @description Rounds that ended in a draw so far.
             */
            drawCount: number;
            /** Format: date-time */
            endedAt?: string;
            eventId: string;
            /** Format: uuid */
            forfeiter?: string;
            /** Format: uuid */
            gameId: string;
            gameType: components["schemas"]["GameType"];
            /** Format: uuid */
            initiatorUserId: string;
            /** @description For whom made the game, while a seat is open. */
            inviteToken?: string;
            isDraw: boolean;
            /** Format: uint32 */
            level: number;
            /** @description Moves of the present round, in order. */
            moves: components["schemas"]["GameMove"][];
            /**
             * Format: uuid
             * @description Who offers the next game, while it waits for the other.
             */
            nextGameBy?: string;
            /**
             * Format: uuid
             * @description The game that Play Again made, unless it was called off; only `get_game` tells it.
             */
            nextGameId?: string;
            notify: boolean;
            /** @description An open seat is absent. */
            players: components["schemas"]["GamePlayer"][];
            /** @description The result counts for the players' ratings. Absent for invite games, which are never rated. */
            rated?: boolean;
            /** @description What the game did to the ratings: of a rated game, moments after its end. Absent for a deleted account. */
            ratingChanges?: components["schemas"]["RatingChange"][];
            reason?: components["schemas"]["EndReason"];
            /**
             * Format: int64
             * @description Unix milliseconds.
             */
            serverTime: number;
            status: components["schemas"]["GameStatus"];
            /**
             * Format: int64
             * @description Unix milliseconds; absent without a timer.
             */
            turnDeadline?: number;
            /**
             * Format: uint64
             * @description One more for each change.
             */
            version: number;
            winner?: components["schemas"]["Symbol"];
            /** Format: uuid */
            winnerUserId?: string;
            /** @description Row and column of each cell of the winning line. */
            winningLine?: number[][];
        };
        /** @enum {string} */
        GameStatus: "waiting" | "active" | "completed" | "cancelled";
        /** @enum {string} */
        GameType: "invite" | "event" | "quick";
        /** GamesAnswer */
        GamesAnswer: {
            games: components["schemas"]["Game"][];
            pagination: components["schemas"]["Pagination"];
            succeeded: boolean;
        };
        /** GetEngineEvidence */
        GetEngineEvidence: {
            /** Format: uuid */
            userId: string;
        };
        /** GetEventById */
        GetEventById: {
            /** Format: uuid */
            eventId: string;
        };
        /** GetGame */
        GetGame: {
            /** Format: uuid */
            gameId: string;
        };
        /** GetGamesByEvent */
        GetGamesByEvent: {
            eventId: string;
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
            /**
             * Format: uuid
             * @description Only this player's games.
             */
            userId?: string;
        };
        /** GetGamesByUser */
        GetGamesByUser: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
            /** @description All four if absent. */
            status?: components["schemas"]["GameStatus"][];
            /** Format: uuid */
            userId: string;
        };
        /**
         * GetHeadToHead
         * @description The caller's results against another player.
         */
        GetHeadToHead: {
            /** Format: uuid */
            userId: string;
        };
        /**
         * GetHistory
         * @description A player's finished games, the newest first.
         */
        GetHistory: {
            filter?: components["schemas"]["HistoryFilter"];
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
            /** Format: uuid */
            userId: string;
        };
        /**
         * GetHosting
         * @description Whether the caller may host private events, and how many they host.
         */
        GetHosting: Record<string, never>;
        /** GetLeaderboard */
        GetLeaderboard: {
            /** Format: uuid */
            eventId: string;
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /** GetLogStats */
        GetLogStats: Record<string, never>;
        /** GetLogs */
        GetLogs: {
            /** @description Goes on behind the record of an earlier answer's `nextCursor`. */
            cursor?: string;
            filter?: components["schemas"]["LogFilter"];
            /**
             * Format: uint32
             * @description 50 if absent.
             */
            limit?: number;
            /** Format: uint32 */
            page?: number;
            /** @description `timestamp`, if given. */
            sortBy?: string;
            sortOrder?: components["schemas"]["SortOrder"];
        };
        /** GetLogsByLevel */
        GetLogsByLevel: {
            level: components["schemas"]["LogLevel"];
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /** GetLogsByPlatform */
        GetLogsByPlatform: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
            platform: string;
        };
        /** GetLogsByUser */
        GetLogsByUser: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
            /** Format: uuid */
            userId: string;
        };
        /**
         * GetNotificationSettings
         * @description What the caller wants to be told of, and the browsers that show it.
         */
        GetNotificationSettings: Record<string, never>;
        /** GetPlans */
        GetPlans: Record<string, never>;
        /** GetPlayer */
        GetPlayer: {
            /**
             * Format: uuid
             * @description The event joined last, if absent.
             */
            eventId?: string;
            /** Format: uuid */
            userId: string;
        };
        /** GetPlayersByEvent */
        GetPlayersByEvent: {
            /** Format: uuid */
            eventId: string;
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /**
         * GetProfile
         * @description Exactly one of the two is given. A former username leads to its owner.
         */
        GetProfile: {
            /** Format: uuid */
            userId?: string;
            username?: string;
        };
        /**
         * GetRatingList
         * @description People only; for bots, see `list_bots`.
         */
        GetRatingList: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /**
         * GetReplay
         * @description One of the two is given.
         */
        GetReplay: {
            /** Format: uuid */
            gameId?: string;
            shareToken?: string;
        };
        /**
         * GetRounds
         * @description The stage rounds of an event that is no arena, from the first to the last as far as it is planned. With a user, only their
         *     matches.
         */
        GetRounds: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId?: string;
        };
        /**
         * GetSeries
         * @description A series with its events.
         */
        GetSeries: {
            /** Format: uuid */
            seriesId: string;
        };
        /**
         * GetSeriesTable
         * @description The points of all its events that are concluded.
         */
        GetSeriesTable: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
            /** Format: uuid */
            seriesId: string;
        };
        /** GetSignupByEventAndUser */
        GetSignupByEventAndUser: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId: string;
        };
        /**
         * GetStandings
         * @description The table of an event that is no arena. With a user, their row alone, and how its tie-breaks came.
         */
        GetStandings: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId?: string;
        };
        /** GetStripekey */
        GetStripekey: Record<string, never>;
        /** GetSubscription */
        GetSubscription: Record<string, never>;
        /** GetUserById */
        GetUserById: {
            /**
             * Format: uuid
             * @description Oneself, if it is absent.
             */
            userId?: string;
        };
        /** GetUserSignUpStatus */
        GetUserSignUpStatus: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId: string;
        };
        /** GrantPro */
        GrantPro: {
            reason: string;
            /** Format: date-time */
            until?: string;
            /** Format: uuid */
            userId: string;
        };
        GrantProAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "grant_pro";
            payload: components["schemas"]["GrantPro"];
        };
        /** HeadToHeadAnswer */
        HeadToHeadAnswer: {
            /** @description The last ones, the newest first; results are the caller's. */
            games: components["schemas"]["PlayedGame"][];
            /** @description The caller's. */
            results: components["schemas"]["Results"];
            succeeded: boolean;
        };
        /**
         * History
         * @description The last hour of the server in figures.
         */
        History: Record<string, never>;
        /**
         * HistoryAnswer
         * @description The oldest first, at most an hour's.
         */
        HistoryAnswer: {
            /** Format: uint64 */
            intervalSeconds: number;
            samples: components["schemas"]["HistorySample"][];
            succeeded: boolean;
        };
        /**
         * HistoryFilter
         * @description What is absent is any.
         */
        HistoryFilter: {
            /**
             * Format: uint8
             * @description 3 to 6.
             */
            boardSize?: number;
            gameType?: components["schemas"]["GameType"];
            /** Format: uuid */
            opponentId?: string;
            rated?: boolean;
            result?: components["schemas"]["PlayedResult"];
        };
        /**
         * HistorySample
         * @description Figures of one moment; those that grow are of the time since the sample before.
         */
        HistorySample: {
            /** Format: date-time */
            at: string;
            /**
             * Format: double
             * @description Of one core.
             */
            cpuPercent: number;
            /**
             * Format: uint64
             * @description Free bytes of the fullest disk; absent if they cannot be read.
             */
            diskFree?: number;
            /** Format: double */
            logRecordsPerSecond: number;
            /**
             * Format: uint64
             * @description Bytes.
             */
            memory: number;
            /**
             * Format: double
             * @description Milliseconds in which half of the moves were on disk and announced; absent without moves.
             */
            moveP50?: number;
            /**
             * Format: double
             * @description The same of 99 %.
             */
            moveP99?: number;
            /** Format: double */
            movesPerSecond: number;
            /** Format: uint64 */
            sockets: number;
        };
        /** HostingAnswer */
        HostingAnswer: {
            /**
             * Format: uint32
             * @description Days until its start, at most.
             */
            aheadDays: number;
            /**
             * Format: uint32
             * @description Minutes from its start to its end, at most.
             */
            lengthMinutes: number;
            /**
             * Format: uint32
             * @description How many may be open at once.
             */
            limit: number;
            /**
             * Format: uint32
             * @description Players of such an event, at most.
             */
            maxPlayers: number;
            /**
             * Format: uint32
             * @description Events of the caller that are not over.
             */
            open: number;
            /** @description Absent for somebody who may host. */
            refusal?: components["schemas"]["HostingRefusal"];
            succeeded: boolean;
        };
        /**
         * @description Why somebody may not host an event: members do not here, guests never do, or the email is not verified.
         * @enum {string}
         */
        HostingRefusal: "off" | "guest" | "emailNotVerified";
        /**
         * @description What an id is of.
         * @enum {string}
         */
        IdOf: "event" | "game" | "user";
        /**
         * ImportPlayers
         * @description Signs up everybody on a list, also for an event that has started: all of them, or nobody. For admins.
         */
        ImportPlayers: {
            /** @description CSV with a username on each line: in the column headed `username`, otherwise in the first one. */
            csv: string;
            /** Format: uuid */
            eventId: string;
            /** @description Only reports what would happen; false if absent. */
            preview?: boolean;
        };
        ImportPlayersAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "import_players";
            payload: components["schemas"]["ImportPlayers"];
        };
        /** ImportPlayersAnswer */
        ImportPlayersAnswer: {
            /**
             * Format: uint32
             * @description How many were signed up.
             */
            added: number;
            /** @description Nobody on the list is unknown or refused. */
            complete: boolean;
            /** @description In the order of the list. */
            players: components["schemas"]["ImportedPlayer"][];
            succeeded: boolean;
        };
        /**
         * @description What happens to a line of a list of players.
         * @enum {string}
         */
        ImportStatus: "found" | "added" | "alreadyIn" | "repeated" | "notFound" | "refused";
        /**
         * ImportedPlayer
         * @description A line of a list of players.
         */
        ImportedPlayer: {
            displayName?: string;
            /**
             * Format: uint32
             * @description In the file, from 1.
             */
            line: number;
            /** @description Why somebody is refused. */
            reason?: string;
            status: components["schemas"]["ImportStatus"];
            /** Format: uuid */
            userId?: string;
            /** @description Of the account; as typed if there is none. */
            username: string;
        };
        /**
         * @description What somebody who is invited to a private event has answered.
         * @enum {string}
         */
        InvitationState: "invited" | "declined";
        /** InvitationsAnswer */
        InvitationsAnswer: {
            /** @description At most 128, the first first. */
            invitations: components["schemas"]["EventInvitation"][];
            succeeded: boolean;
        };
        /**
         * InvitePlayer
         * @description Invites a member to a private event that is published or under way. They are told in the app and by push, never by
         *     letter. The answer is the same for those who cannot be reached, or block the host; again, nothing happens.
         */
        InvitePlayer: {
            /** Format: uuid */
            eventId: string;
            /**
             * Format: uuid
             * @description Who; without it the one with the username.
             */
            userId?: string;
            /** @description Also a former one. */
            username?: string;
        };
        InvitePlayerAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "invite_player";
            payload: components["schemas"]["InvitePlayer"];
        };
        /** Invoice */
        Invoice: {
            /** Format: int64 */
            amount: number;
            /** Format: date-time */
            createdAt: string;
            currency: string;
            invoiceId: string;
            status: string;
            url?: string;
        };
        /** InvoicesAnswer */
        InvoicesAnswer: {
            invoices: components["schemas"]["Invoice"][];
            pagination: components["schemas"]["Pagination"];
            succeeded: boolean;
        };
        /** JoinEvent */
        JoinEvent: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId?: string;
            username?: string;
        };
        JoinEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "join_event";
            payload: components["schemas"]["JoinEvent"];
        };
        /** JoinEventAnswer */
        JoinEventAnswer: {
            player?: components["schemas"]["Player"];
            requiresUpgrade: boolean;
            succeeded: boolean;
        };
        /** JoinEventRoom */
        JoinEventRoom: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId?: string;
        };
        /** JoinEventRoomAction */
        JoinEventRoomAction: {
            /** Format: uuid */
            eventId: string;
            socketId?: string;
            /** Format: uuid */
            userId?: string;
        };
        JoinEventRoomActionAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "join_event_room";
            payload: components["schemas"]["JoinEventRoomAction"];
        };
        /** JoinEventRoomAnswer */
        JoinEventRoomAnswer: {
            /** @description As of `eventJoined`. */
            absence?: components["schemas"]["StillThere"];
            player: components["schemas"]["Player"];
            /** Format: uint32 */
            queueSize: number;
            /** @description As of `eventJoined`. */
            stillThere?: boolean;
            succeeded: boolean;
        };
        /** JoinGame */
        JoinGame: {
            /** Format: uuid */
            gameId: string;
            /**
             * Format: uint64
             * @description The last version the client saw; the answer carries the whole state in any case.
             */
            lastVersion?: number;
            /** Format: uuid */
            userId?: string;
        };
        /** LeaveEventRoom */
        LeaveEventRoom: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId?: string;
        };
        /** LeaveEventRoomAction */
        LeaveEventRoomAction: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId?: string;
        };
        LeaveEventRoomActionAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "leave_event_room";
            payload: components["schemas"]["LeaveEventRoomAction"];
        };
        /** LeaveGameRoom */
        LeaveGameRoom: {
            /** Format: uuid */
            gameId: string;
            /** Format: uuid */
            userId?: string;
        };
        /** LiftSuspension */
        LiftSuspension: {
            /** Format: uuid */
            userId: string;
        };
        LiftSuspensionAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "lift_suspension";
            payload: components["schemas"]["LiftSuspension"];
        };
        /**
         * ListAdmins
         * @description Everybody with admin rights, by username; `adminClaim` says by what, where they are for a while.
         */
        ListAdmins: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /** ListAudit */
        ListAudit: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /**
         * ListBackups
         * @description The backups of this server where it makes them by itself.
         */
        ListBackups: Record<string, never>;
        /** ListBillingEvents */
        ListBillingEvents: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
            /** Format: uuid */
            userId?: string;
        };
        /** ListBlocked */
        ListBlocked: Record<string, never>;
        /** ListBots */
        ListBots: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /**
         * ListDeliveries
         * @description The newest first.
         */
        ListDeliveries: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
            /** Format: uuid */
            webhookId: string;
        };
        /**
         * ListEngineScores
         * @description The most unusual first; accounts with too few positions come last.
         */
        ListEngineScores: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /** ListEvents */
        ListEvents: {
            filter?: components["schemas"]["EventFilter"];
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /**
         * ListInvitations
         * @description Who is invited to a private event and has not entered it, for those who direct it.
         */
        ListInvitations: {
            /** Format: uuid */
            eventId: string;
        };
        /** ListInvoices */
        ListInvoices: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /** ListLiveGames */
        ListLiveGames: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /**
         * ListOpponents
         * @description Whom the caller played last.
         */
        ListOpponents: {
            /**
             * Format: uint32
             * @description At most 20; 6 if absent.
             */
            limit?: number;
        };
        /**
         * ListOwnInvitations
         * @description The private events that the caller is invited to: the latest 100.
         */
        ListOwnInvitations: Record<string, never>;
        /**
         * ListPersonalTokensOf
         * @description A member's personal tokens that have not ended, without their secrets.
         */
        ListPersonalTokensOf: {
            /** Format: uuid */
            userId: string;
        };
        /**
         * ListReports
         * @description The newest first; open ones unless said otherwise.
         */
        ListReports: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
            state?: components["schemas"]["ReportState"];
        };
        /**
         * ListSeries
         * @description Series that make events, the newest first.
         */
        ListSeries: {
            /** @description Those that were ended instead. */
            ended?: boolean;
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /** ListSessions */
        ListSessions: {
            /** Format: uuid */
            userId: string;
        };
        /** ListSignupsForEvent */
        ListSignupsForEvent: {
            /** Format: uuid */
            eventId: string;
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /** ListSignupsForUser */
        ListSignupsForUser: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
            /** Format: uuid */
            userId: string;
        };
        /**
         * ListSubscriptions
         * @description Accounts that pay, paid or were granted Pro.
         */
        ListSubscriptions: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /**
         * ListSuspended
         * @description Accounts with a suspension, also one that is over; the latest first.
         */
        ListSuspended: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /** ListTokens */
        ListTokens: Record<string, never>;
        /** ListUsers */
        ListUsers: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
            text?: string;
        };
        /** ListWebhooks */
        ListWebhooks: Record<string, never>;
        /**
         * LiveBoard
         * @description What changes of a game while it is played, as a list of games to watch shows it.
         */
        LiveBoard: {
            /** Format: uint8 */
            boardSize: number;
            /** @description Row by row: `X`, `O`, and `.` for an empty cell. */
            cells: string;
            /** Format: uuid */
            currentTurn?: string;
            /**
             * Format: uint32
             * @description Rounds that ended in a draw so far.
             */
            drawCount: number;
            /** Format: uuid */
            gameId: string;
            /** @description Row and column. */
            lastMove?: number[];
            /** @description `completed` for a few seconds after the end; then the game is no longer listed. */
            status: components["schemas"]["GameStatus"];
            /** Format: uint64 */
            version: number;
            /**
             * Format: uint32
             * @description How many people watch it.
             */
            watchers: number;
            /** Format: uuid */
            winnerUserId?: string;
            /** @description Row and column of each cell of the winning line. */
            winningLine?: number[][];
        };
        /**
         * LiveGame
         * @description A game to watch, with its board.
         */
        LiveGame: {
            board: components["schemas"]["LiveBoard"];
            game: components["schemas"]["Game"];
        };
        /**
         * LiveGames
         * @description The games that everybody signed in may watch, the best rated first; of many the first hundred.
         */
        LiveGames: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /** LiveGamesAnswer */
        LiveGamesAnswer: {
            games: components["schemas"]["Game"][];
            pagination: components["schemas"]["Pagination"];
            succeeded: boolean;
        };
        /** LiveGamesChanged */
        LiveGamesChanged: {
            /** @description No longer live. */
            ended: string[];
            /** @description Began or changed. */
            games: components["schemas"]["Game"][];
            /** Format: date-time */
            serverTime: string;
        };
        /**
         * LiveNow
         * @description The best rated games to watch: all of them at first, then what changed, at most once a second.
         */
        LiveNow: {
            /** @description What changed of the others. */
            boards: components["schemas"]["LiveBoard"][];
            /** @description Games that are new in the list. */
            games: components["schemas"]["LiveGame"][];
            /** @description The ids of the listed games, the best rated first. Others are no longer listed. */
            order: string[];
            /**
             * Format: uint32
             * @description How many games may be watched in all.
             */
            total: number;
        };
        /** LiveNowAnswer */
        LiveNowAnswer: {
            games: components["schemas"]["LiveGame"][];
            pagination: components["schemas"]["Pagination"];
            succeeded: boolean;
            /**
             * Format: uint32
             * @description How many games may be watched in all.
             */
            total: number;
        };
        /** LogEntry */
        LogEntry: {
            _id: string;
            /** @description Of a record that a client sent: the fields that only the client says. Its texts are the client's in any case. */
            claimed?: components["schemas"]["ClaimedField"][];
            context?: string;
            fileName?: string;
            level: components["schemas"]["LogLevel"];
            logId: string;
            message: string;
            platform: string;
            requestId?: string;
            service: string;
            sessionId?: string;
            stack?: string;
            /** Format: date-time */
            timestamp: string;
            /** Format: uuid */
            userId?: string;
        };
        /**
         * LogFilter
         * @description Filters that combine; absent ones do not filter.
         */
        LogFilter: {
            level?: components["schemas"]["LogLevels"];
            platform?: string;
            requestId?: string;
            /** @description The part of the program a record came from. */
            service?: string;
            sessionId?: string;
            /** Format: date-time */
            since?: string;
            text?: string;
            /** Format: date-time */
            until?: string;
            /** Format: uuid */
            userId?: string;
        };
        /** @enum {string} */
        LogLevel: "error" | "warning" | "info" | "debug";
        /** @description One level or a list of them. */
        LogLevels: components["schemas"]["LogLevel"] | components["schemas"]["LogLevel"][];
        /** LogStats */
        LogStats: {
            /**
             * Format: uint64
             * @description Records that the full queue discarded since the start.
             */
            dropped: number;
            /** @description Records an hour over the last 24 hours, oldest first, per level. */
            hourly: {
                [key: string]: number[];
            };
            levelStats: {
                [key: string]: number;
            };
            recentActivity: components["schemas"]["RecentActivity"];
            /** @description The program's own parts. */
            services: string[];
        };
        /** LogStatsAnswer */
        LogStatsAnswer: {
            data: components["schemas"]["LogStats"];
            succeeded: boolean;
        };
        /** LoginAnswer */
        LoginAnswer: {
            /**
             * Format: uint64
             * @description Games that came along, where `keepGuestGames` asked for it.
             */
            guestGames?: number;
            isLogIn: boolean;
            /** @description This call made the account. With a provider its username was made of the name there, and can be changed. */
            isNew: boolean;
            succeeded: boolean;
            user: components["schemas"]["User"];
        };
        /**
         * LoginRequest
         * @description Signs in. A local account sends `email` and `password`; Google's button sends the identity
         *     payload with `credential`, whose claims win over whatever else the payload says.
         */
        LoginRequest: {
            accountType?: components["schemas"]["AccountType"];
            /** @description The provider's ID token. */
            credential?: string;
            email: string;
            firstName?: string;
            isGoogleAccount: boolean;
            /** @description A guest brings their games along. */
            keepGuestGames?: boolean;
            lastName?: string;
            password?: string;
            username?: string;
        };
        /** LogsAnswer */
        LogsAnswer: {
            data: components["schemas"]["LogsData"];
            succeeded: boolean;
        };
        /** LogsData */
        LogsData: {
            logs: components["schemas"]["LogEntry"][];
            nextCursor?: string;
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * MailSettings
         * @description Letters that can be switched off. Those about the security of an account always arrive.
         */
        MailSettings: {
            /** @description Before an event that one signed up for; to verified emails only. */
            event: boolean;
            /** @description Receipts, and when Pro ends. */
            payment: boolean;
        };
        /** MakeMove */
        MakeMove: {
            /**
             * Format: uint8
             * @description Counted from 0.
             */
            col: number;
            /** Format: uuid */
            gameId: string;
            /**
             * Format: uint8
             * @description Counted from 0.
             */
            row: number;
            /** Format: uuid */
            userId?: string;
            /**
             * Format: uint64
             * @description The version of the state that the move was made on; a stale one is rejected.
             */
            version?: number;
        };
        /** MakeMoveAction */
        MakeMoveAction: {
            /**
             * Format: uint8
             * @description Counted from 0.
             */
            col: number;
            /** Format: uuid */
            gameId: string;
            /**
             * Format: uint8
             * @description Counted from 0.
             */
            row: number;
            /** Format: uuid */
            userId?: string;
            /**
             * Format: uint64
             * @description The version of the state that the move was made on.
             */
            version?: number;
        };
        MakeMoveActionAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "make_move";
            payload: components["schemas"]["MakeMoveAction"];
        };
        /** MakeMoveAnswer */
        MakeMoveAnswer: {
            game: components["schemas"]["GameState"];
            succeeded: boolean;
        };
        /**
         * @description Why a match has its winner. Bye: there is no opponent. Absent, withdrawn: the other one was, or both. Ruling: a director's.
         * @enum {string}
         */
        MatchReason: "played" | "bye" | "absent" | "withdrawn" | "ruling";
        /** MatchResult */
        MatchResult: {
            reason: components["schemas"]["MatchReason"];
            /**
             * Format: uuid
             * @description Absent where both lost.
             */
            winnerUserId?: string;
        };
        /** MatchmakingCancelled */
        MatchmakingCancelled: {
            /** Format: uuid */
            eventId: string;
            message: string;
            /**
             * Format: uint32
             * @description 1500.
             */
            redirectInMs: number;
        };
        /** MoveRejected */
        MoveRejected: {
            /** Format: uint8 */
            col: number;
            error: string;
            errorCode: string;
            /** Format: uuid */
            gameId: string;
            /** Format: uint8 */
            row: number;
            /**
             * Format: uint64
             * @description The state's present version.
             */
            version?: number;
        };
        /**
         * MoveTimes
         * @description How long an account takes for moves. What is absent has too few moves.
         */
        MoveTimes: {
            /**
             * Format: uint32
             * @description Critical positions that were found within 1.5 s.
             */
            fast: number;
            /**
             * Format: double
             * @description Times in critical positions by those in others: above 1 for whoever thinks where it matters.
             */
            slowdown?: number;
            /**
             * Format: double
             * @description The standard deviation of the natural logarithms: 0 for constant times.
             */
            spread?: number;
            /**
             * Format: double
             * @description The geometric mean, in milliseconds.
             */
            typicalMs?: number;
        };
        /** MoveUpdate */
        MoveUpdate: {
            /**
             * Format: int64
             * @description Until when the next player, who is away, has to be back.
             */
            absentUntil?: number;
            board: string[][];
            /** Format: uint8 */
            col: number;
            /** Format: uuid */
            gameId: string;
            gameStatus: components["schemas"]["GameStatus"];
            isDraw: boolean;
            /**
             * Format: uuid
             * @description Whose turn it is now; absent when the game is over.
             */
            nextTurn?: string;
            /** Format: uint8 */
            row: number;
            /**
             * Format: int64
             * @description Unix milliseconds.
             */
            serverTime: number;
            symbol: components["schemas"]["Symbol"];
            /** @description Milliseconds that X and O have left for all further turns; absent unless the clock is `1+2`. */
            timesLeftMs?: number[];
            /** @description Milliseconds that X and O have used, of an event game: they decide after the fifth drawn round. */
            timesUsedMs?: number[];
            /**
             * Format: int64
             * @description Unix milliseconds; absent without a timer.
             */
            turnDeadline?: number;
            /**
             * Format: uuid
             * @description Who moved.
             */
            userId: string;
            /** Format: uint64 */
            version: number;
            winner?: components["schemas"]["Symbol"];
            winningLine?: number[][];
        };
        /**
         * @description What a node does.
         * @enum {string}
         */
        NodeRole: "leading" | "opening" | "following" | "checking" | "restoring" | "away";
        /** NotificationSettingsAnswer */
        NotificationSettingsAnswer: {
            /**
             * Format: uint32
             * @description Minutes before an event at which its letter is sent.
             */
            letterMinutes: number;
            mail: components["schemas"]["MailSettings"];
            push: components["schemas"]["PushSettings"];
            /** @description What browsers subscribe with (`applicationServerKey`); absent where the server pushes nothing. */
            pushKey?: string;
            /** @description The most recently used first. */
            subscriptions: components["schemas"]["PushSubscription"][];
            succeeded: boolean;
        };
        /** OperatorToken */
        OperatorToken: {
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Absent only for the server's local token, and for tokens of versions that made some without an end.
             */
            expiresAt?: string;
            /** Format: date-time */
            lastUsedAt?: string;
            name: string;
            scope: components["schemas"]["TokenScope"];
            tokenId: string;
        };
        /** Opponent */
        Opponent: {
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** Format: uint32 */
            level: number;
            /** @description Where the picture is, 128 pixels wide; absent without one. */
            profileUrl?: string;
            /** @description Absent for guests. */
            rating?: components["schemas"]["PlayerRating"];
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /** OpponentDisconnected */
        OpponentDisconnected: {
            /**
             * Format: int64
             * @description When they end, or the time of the turn before that; absent while it is the other player's turn.
             */
            absentUntil?: number;
            /**
             * Format: uint32
             * @description Seconds to come back, counted while it is their turn.
             */
            countdown: number;
            /** Format: uuid */
            gameId: string;
            /** Format: uuid */
            userId: string;
        };
        /** OpponentReconnected */
        OpponentReconnected: {
            /** Format: uuid */
            gameId: string;
            /** Format: uuid */
            userId: string;
        };
        /** OpponentsAnswer */
        OpponentsAnswer: {
            opponents: components["schemas"]["PlayedOpponent"][];
            succeeded: boolean;
        };
        /** Overview */
        Overview: Record<string, never>;
        /** OverviewAnswer */
        OverviewAnswer: {
            backup: components["schemas"]["BackupStatus"];
            billingConfigured: boolean;
            /** Format: uint64 */
            connections: number;
            /**
             * Format: uint64
             * @description How many of them have accepted nothing for an hour, or are disabled.
             */
            failingWebhooks: number;
            /** @description The node of the cluster that leads, and answers this; absent on a server that runs alone. */
            leader?: string;
            /** Format: uint64 */
            liveGames: number;
            /** @description Mails leave by SMTP; else they are written to the outbox folder. */
            mailConfigured: boolean;
            /**
             * Format: uint64
             * @description Since the start.
             */
            moves: number;
            /** Format: uint64 */
            openReports: number;
            /** Format: date-time */
            serverTime: string;
            /** Format: date-time */
            startedAt: string;
            store: components["schemas"]["StoreHealth"];
            succeeded: boolean;
            /** Format: uint64 */
            users: number;
            version: string;
            /** Format: uint64 */
            waitingGames: number;
            warnings: string[];
            /**
             * Format: uint64
             * @description How many webhooks there are.
             */
            webhooks: number;
        };
        /**
         * OwnInvitation
         * @description A private event that the caller is invited to. Until they enter it they see no more of it.
         */
        OwnInvitation: {
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            endTime?: string;
            /** Format: uuid */
            eventId: string;
            /** @description `published` or `started`. */
            eventState: components["schemas"]["EventState"];
            host: components["schemas"]["EventHost"];
            /** Format: date-time */
            startTime?: string;
            title: string;
        };
        /** OwnInvitationsAnswer */
        OwnInvitationsAnswer: {
            invitations: components["schemas"]["OwnInvitation"][];
            succeeded: boolean;
        };
        /** OwnRating */
        OwnRating: {
            /**
             * Format: uint32
             * @description Counted from 1, among people or, for a bot, among bots; absent for a provisional rating, which is in no list.
             */
            rank?: number;
            rating: components["schemas"]["Rating"];
        };
        /** OwnUserAnswer */
        OwnUserAnswer: {
            succeeded: boolean;
            user: components["schemas"]["User"];
        };
        /**
         * Pagination
         * @description Where a page stands in its list.
         */
        Pagination: {
            /**
             * Format: uint32
             * @description Counted from 1.
             */
            currentPage: number;
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** Format: uint32 */
            limit: number;
            /** Format: uint64 */
            totalCount: number;
        };
        /** Passkey */
        Passkey: {
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt?: string;
            name: string;
            passkeyId: string;
        };
        /** PasskeyAnswer */
        PasskeyAnswer: {
            passkey: components["schemas"]["Passkey"];
            /** @description With the account's first factor; shown this once. */
            recoveryCodes?: string[];
            succeeded: boolean;
        };
        /**
         * PasskeyLogin
         * @description Signs in with a passkey alone.
         */
        PasskeyLogin: {
            /** @description `PublicKeyCredential.toJSON()` of an assertion. */
            credential: unknown;
            /** @description A guest brings their games along. */
            keepGuestGames?: boolean;
        };
        /**
         * PasskeyOptionsAnswer
         * @description What the browser makes or uses a passkey with.
         */
        PasskeyOptionsAnswer: {
            /** @description `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`. */
            options: unknown;
            succeeded: boolean;
        };
        /**
         * PasswordLinkAnswer
         * @description The link is shown this once.
         */
        PasswordLinkAnswer: {
            /** Format: date-time */
            expiresAt: string;
            /** @description What comes behind the address of the server, such as `/new-password#…`. */
            path: string;
            succeeded: boolean;
        };
        /** PasswordLinkOwnerAnswer */
        PasswordLinkOwnerAnswer: {
            succeeded: boolean;
            /** @description It can make a passkey in place of a password: the server has a name, and no second factor is left. */
            takesPasskey: boolean;
            /** @description Absent for a link that does not work (any more). */
            username?: string;
        };
        /**
         * PauseEvent
         * @description No further stage round begins; games go on.
         */
        PauseEvent: {
            /** Format: uuid */
            eventId: string;
        };
        PauseEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "pause_event";
            payload: components["schemas"]["PauseEvent"];
        };
        /** PaymentMethod */
        PaymentMethod: {
            /** @description Of what is no card its kind, such as `sepa_debit`. */
            brand: string;
            expires?: string;
            isDefault: boolean;
            last4?: string;
            paymentMethodId: string;
        };
        /** PaymentMethodsAnswer */
        PaymentMethodsAnswer: {
            paymentMethods: components["schemas"]["PaymentMethod"][];
            succeeded: boolean;
        };
        /**
         * @description What became of a payment.
         * @enum {string}
         */
        PaymentStatus: "succeeded" | "processing" | "requiresAction";
        /** PersonalToken */
        PersonalToken: {
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: date-time
             * @description To the minute; absent before the first use.
             */
            lastUsedAt?: string;
            name: string;
            scopes: components["schemas"]["ProgramScope"][];
            tokenId: string;
        };
        /** PersonalTokenAnswer */
        PersonalTokenAnswer: {
            personalToken: components["schemas"]["PersonalToken"];
            succeeded: boolean;
            /** @description What a program sends as `Authorization: Bearer`. Shown this once. */
            token: string;
        };
        /** PersonalTokensAnswer */
        PersonalTokensAnswer: {
            /**
             * Format: uint32
             * @description How many an account may have.
             */
            most: number;
            succeeded: boolean;
            /** @description The newest first. */
            tokens: components["schemas"]["PersonalToken"][];
        };
        /** Plan */
        Plan: {
            currency: string;
            isPopularChoice: boolean;
            /**
             * Format: uint32
             * @description Of one paid period.
             */
            months: number;
            name: string;
            planId: string;
            /**
             * Format: int64
             * @description In cents.
             */
            price: number;
            /** @description For example `27%`. */
            savings?: string;
        };
        /**
         * PlansAnswer
         * @description For visitors too. Where payments are not set up nothing should lead to a purchase.
         */
        PlansAnswer: {
            /** @description What Pro gives, a line each, as the operator promises it. */
            benefits: string[];
            /** @description Payments are set up on this server. */
            configured: boolean;
            /**
             * Format: uint32
             * @description Events that a free account may join in a calendar month (UTC).
             */
            freeEventsPerMonth: number;
            /** @description Absent where payments are not set up. */
            fromPrice?: components["schemas"]["FromPrice"];
            plans: components["schemas"]["Plan"][];
            succeeded: boolean;
        };
        /**
         * PlayAgain
         * @description Offers another game of one that was played, with the starter changed: one game however many ask. An offer that
         *     was called off is followed by a new one. Each offer counts as an invitation.
         */
        PlayAgain: {
            /** Format: uuid */
            gameId: string;
        };
        PlayAgainAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "play_again";
            payload: components["schemas"]["PlayAgain"];
        };
        /** PlayedAgainst */
        PlayedAgainst: {
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /**
         * PlayedGame
         * @description A finished game of a player.
         */
        PlayedGame: {
            /**
             * Format: uint8
             * @description Of the last round.
             */
            boardSize: number;
            clock: components["schemas"]["TimeControl"];
            /** Format: date-time */
            endedAt: string;
            /** Format: uuid */
            eventId?: string;
            /** Format: uuid */
            gameId: string;
            gameType: components["schemas"]["GameType"];
            /** Format: uint32 */
            moveCount: number;
            opponent: components["schemas"]["PlayedAgainst"];
            rated: boolean;
            /** @description Absent for a drawn game. */
            reason?: components["schemas"]["EndReason"];
            /** @description For the player whose history it is. */
            result: components["schemas"]["PlayedResult"];
        };
        /** PlayedGamesAnswer */
        PlayedGamesAnswer: {
            games: components["schemas"]["PlayedGame"][];
            pagination: components["schemas"]["Pagination"];
            succeeded: boolean;
        };
        /** PlayedOpponent */
        PlayedOpponent: {
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** @description A guest has no page. */
            isTempUser: boolean;
            /** Format: date-time */
            lastPlayedAt: string;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /** @description Absent for guests. */
            rating?: components["schemas"]["PlayerRating"];
            /** @description The caller's against them. */
            results: components["schemas"]["Results"];
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /** @enum {string} */
        PlayedResult: "won" | "lost" | "drawn";
        /** Player */
        Player: {
            displayName: string;
            /** @description For admins only. */
            email?: string;
            /** Format: uuid */
            eventId: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            isEliminated: boolean;
            /** @description Taken out by an admin; absent for all others. */
            isRemoved?: boolean;
            /** Format: uint32 */
            level: number;
            /** Format: uint32 */
            losses: number;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /**
             * Format: uint32
             * @description From 1, in the order of the leaderboard.
             */
            rank?: number;
            /** Format: uuid */
            userId: string;
            username: string;
            /** Format: uint32 */
            wins: number;
        };
        /** PlayerAnswer */
        PlayerAnswer: {
            player: components["schemas"]["Player"];
            succeeded: boolean;
        };
        /** PlayerFound */
        PlayerFound: {
            /**
             * Format: uuid
             * @description Absent in quick match.
             */
            eventId?: string;
            /** Format: uuid */
            gameId: string;
            opponent: components["schemas"]["Opponent"];
            /** @description Absent in an event. */
            quickMatch?: components["schemas"]["QuickMatchFound"];
            /**
             * Format: uint32
             * @description 2000.
             */
            redirectInMs: number;
            /** @description Why a game of an event is not rated; absent in quick match. */
            unratedBecause?: string;
        };
        /**
         * PlayerPresence
         * @description Whether a player of an event is there.
         */
        PlayerPresence: {
            presence: components["schemas"]["Presence"];
            /** Format: uuid */
            userId: string;
        };
        /**
         * PlayerProfile
         * @description A player as others see them. With `hidden` the rest below it is absent or empty.
         */
        PlayerProfile: {
            /** @description Whether the caller blocks them; absent for oneself and for visitors. */
            blockedByMe?: boolean;
            displayName: string;
            /** @description The last ones that the player took part in, the latest first. */
            events: components["schemas"]["EventPlace"][];
            /** @description The player does not show the page to the caller. */
            hidden?: boolean;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** Format: date-time */
            memberSince?: string;
            /** @description Where the picture is, 256 pixels wide; absent without one. */
            profileUrl?: string;
            rating?: components["schemas"]["Rating"];
            /** @description After each of the last rated games, at most 100, the oldest first. */
            ratingCurve: components["schemas"]["RatingPoint"][];
            /** @description Of all finished games, by the board of the last round. */
            results: components["schemas"]["BoardResults"][];
            /** Format: uuid */
            userId: string;
            username: string;
            /** @description For the player and for admins, and where it is the reason of `hidden`. */
            visibility?: components["schemas"]["ProfileVisibility"];
        };
        /**
         * PlayerRating
         * @description A rating beside a name.
         */
        PlayerRating: {
            /** @description The deviation is 110 or more. */
            provisional: boolean;
            /** Format: uint32 */
            value: number;
        };
        /**
         * PlayerReaction
         * @description A player of a game reacts to it.
         */
        PlayerReaction: {
            /** Format: uuid */
            gameId: string;
            reaction: components["schemas"]["Reaction"];
            /**
             * Format: uuid
             * @description Who reacts.
             */
            userId: string;
        };
        /**
         * PlayerRef
         * @description A player named by whoever makes a game. The server takes the username from the account.
         */
        PlayerRef: {
            /** Format: uuid */
            userId: string;
            username?: string;
        };
        /** PlayerUpdates */
        PlayerUpdates: {
            isEliminated?: boolean;
            /** Format: uint32 */
            level?: number;
            /** Format: uint32 */
            losses?: number;
            /** Format: uint32 */
            wins?: number;
        };
        /** PlayersAnswer */
        PlayersAnswer: {
            pagination: components["schemas"]["Pagination"];
            players: components["schemas"]["Player"][];
            succeeded: boolean;
        };
        /**
         * @description Whether a player of an event that is published or under way is there. Whoever has no connection is offline, also in a
         *     game.
         * @enum {string}
         */
        Presence: "offline" | "online" | "room" | "waiting" | "playing";
        /**
         * PresenceChanged
         * @description Who of an event's players is there, for who follows it: everybody at first, then whoever changed, at most every 2 s and
         *     1,000 players at once. Of a larger event the first 5,000 who signed up.
         */
        PresenceChanged: {
            /** Format: uuid */
            eventId: string;
            players: components["schemas"]["PlayerPresence"][];
        };
        /**
         * PreviewSeries
         * @description The next five dates by a rule, before a series is made of it; as of `create_series`.
         */
        PreviewSeries: {
            firstStart: string;
            rule: string;
            timeZone: string;
        };
        /** ProfileAnswer */
        ProfileAnswer: {
            profile: components["schemas"]["PlayerProfile"];
            succeeded: boolean;
        };
        /** ProfileImageAnswer */
        ProfileImageAnswer: {
            profileUrl: string;
            succeeded: boolean;
        };
        /**
         * ProfileUpdate
         * @description `POST profile/update`: the user object, whole or in part. Fields that are not changed this way must be as they
         *     are; those that only tell of others are not looked at.
         */
        ProfileUpdate: {
            /**
             * Format: date-time
             * @description Ignored.
             */
            createdAt?: string;
            displayName?: string;
            /** @description As it is. */
            email?: string;
            /** @description Ignored. */
            emailVerified?: boolean;
            firstName?: string;
            /** @description Ignored. */
            hasPassword?: boolean;
            /** @description As it is. */
            isAdmin?: boolean;
            /** @description Ignored. */
            isBot?: boolean;
            /** @description As it is. */
            isProUser?: boolean;
            /** @description As it is. */
            isTempUser?: boolean;
            lastName?: string;
            /** @description Ignored. */
            profile?: string;
            /** @description Ignored. */
            profileUrl?: string;
            profileVisibility?: components["schemas"]["ProfileVisibility"];
            /** @description Ignored. */
            secondFactor?: boolean;
            /** @description Ignored. */
            suspension?: components["schemas"]["Suspension"];
            /** Format: uuid */
            userId?: string;
            username?: string;
            /**
             * Format: date-time
             * @description Ignored.
             */
            usernameChangeableAt?: string;
        };
        /**
         * @description Who sees a player's page: everybody, everybody with an account, or nobody.
         * @enum {string}
         */
        ProfileVisibility: "public" | "members" | "nobody";
        /**
         * @description What a personal token may do. None includes another one.
         * @enum {string}
         */
        ProgramScope: "read" | "play" | "event";
        /**
         * PromoteUser
         * @description By username, or by an email that its owner confirmed.
         */
        PromoteUser: {
            account: string;
        };
        PromoteUserAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "promote_user";
            payload: components["schemas"]["PromoteUser"];
        };
        /**
         * Proof
         * @description Exactly one of them: the second factor of a pending sign-in, or a proof before a sensitive act.
         */
        Proof: {
            /** @description `PublicKeyCredential.toJSON()` of an assertion. */
            passkey?: unknown;
            password?: string;
            /** @description One of the ten codes that were shown once; blanks, hyphens and case do not matter. */
            recoveryCode?: string;
            /** @description The six digits of an authenticator app. */
            totp?: string;
        };
        /**
         * @description What an owner can prove themselves with.
         * @enum {string}
         */
        ProofMethod: "password" | "totp" | "recovery-code" | "passkey" | "provider";
        /**
         * ProofOptionsAnswer
         * @description What a pending sign-in or a sensitive act can be proved with.
         */
        ProofOptionsAnswer: {
            methods: components["schemas"]["ProofMethod"][];
            /** @description For `navigator.credentials.get`, as `PublicKeyCredentialRequestOptionsJSON`; present with the method `passkey`. */
            passkeyOptions?: unknown;
            succeeded: boolean;
        };
        /** Provider */
        Provider: {
            /** @description Calendars can be connected. */
            calendar: boolean;
            clientId: string;
            /** @description A sign-in begins at `/oidc/{id}/start`, without an id at `/oidc/start`. */
            id?: string;
            /** @description True if it could not be reached when it was asked last; otherwise absent. */
            isAway?: boolean;
            /** @description Google's own button is used; else the authorization code flow. */
            isGoogle: boolean;
            issuer: string;
            /** @description Shown on the button, for example `Google`. */
            name: string;
            /** @description To be carried by the ID token. */
            nonce: string;
        };
        /**
         * ProvidersAnswer
         * @description What a visitor can sign in with.
         */
        ProvidersAnswer: {
            guests: boolean;
            /** @description Email and password. */
            local: boolean;
            /** @description Recovery mails really leave the machine. */
            mail: boolean;
            /** @description Those with an id, by it. */
            otherProviders?: components["schemas"]["Provider"][];
            /** @description A passkey can be used instead. */
            passkeys: boolean;
            /** @description The one without an id. */
            provider?: components["schemas"]["Provider"];
            /** @description True if the page for signing in leads on to the only provider; otherwise absent. */
            redirectToProvider?: boolean;
            /** @description Local accounts may be made. */
            registration: boolean;
            succeeded: boolean;
        };
        /**
         * PushSettings
         * @description What is pushed to browsers, as far as there are any.
         */
        PushSettings: {
            /** @description Of somebody who was invited. */
            answer: boolean;
            /** @description An event that one signed up for starts. */
            event: boolean;
            invitation: boolean;
            /** @description Paired in an event: a game is about to begin, or a stage round was paired. */
            paired: boolean;
            /** @description One's turn in a game without a time control. */
            turn: boolean;
        };
        /**
         * PushSubscription
         * @description A browser that shows notifications.
         */
        PushSubscription: {
            /** Format: date-time */
            createdAt: string;
            /** @description Such as 'Firefox on Linux'. */
            device: string;
            /** @description Of the session that asks. */
            isCurrent: boolean;
            /**
             * Format: date-time
             * @description When it was made or confirmed, or its push service last took a notification.
             */
            lastUsedAt: string;
            /** Format: uuid */
            subscriptionId: string;
        };
        /**
         * QueueState
         * @description `matchmakingStarted` and `queueUpdate`.
         */
        QueueState: {
            /**
             * Format: int64
             * @description When the event ends, in Unix milliseconds, unless somebody comes until then: nobody in it can be paired any more.
             */
            endsAt?: number;
            /** Format: uuid */
            eventId: string;
            /** Format: uint32 */
            playing: number;
            /** Format: uint32 */
            queueSize: number;
            /** @description Why nobody fits yet. */
            reason?: string;
            /** Format: int64 */
            waitedMs: number;
        };
        /**
         * QueuedPlayer
         * @description Somebody who looks for an opponent.
         */
        QueuedPlayer: {
            /** @description Without a connection: the place is kept for 30 s. */
            away: boolean;
            boardSize: (3 | 4 | 5 | 6) | "any";
            clock: components["schemas"]["QuickMatchClock"];
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            rated: boolean;
            /** Format: uint32 */
            rating: number;
            /** Format: uuid */
            userId: string;
            username: string;
            /** Format: int64 */
            waitedMs: number;
            /**
             * Format: uint32
             * @description The difference of ratings that is accepted by now.
             */
            window: number;
        };
        /**
         * @description A time control of quick match: 15 s a turn, or a minute and 2 s a move.
         * @enum {string}
         */
        QuickMatchClock: "turn15" | "1+2";
        /**
         * QuickMatchEnded
         * @description The search ended without a game.
         */
        QuickMatchEnded: {
            message: string;
        };
        /**
         * QuickMatchFound
         * @description The game that quick match found.
         */
        QuickMatchFound: {
            /** Format: uint8 */
            boardSize: number;
            /** @description Why the game is casual although a rated one was looked for. */
            casualBecause?: string;
            clock: components["schemas"]["QuickMatchClock"];
            rated: boolean;
        };
        /**
         * QuickMatchJoin
         * @description Looks for an opponent outside events, or changes what is looked for.
         */
        QuickMatchJoin: {
            boardSize: (3 | 4 | 5 | 6) | "any";
            clock: components["schemas"]["QuickMatchClock"];
            /** @description Guests play casual games only. */
            rated: boolean;
        };
        /** QuickMatchLeave */
        QuickMatchLeave: Record<string, never>;
        /**
         * QuickMatchQueue
         * @description Who looks for an opponent, whoever has waited longest first.
         */
        QuickMatchQueue: {
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
        };
        /** QuickMatchQueueAnswer */
        QuickMatchQueueAnswer: {
            pagination: components["schemas"]["Pagination"];
            players: components["schemas"]["QueuedPlayer"][];
            /**
             * Format: uint32
             * @description People in games of quick match.
             */
            playing: number;
            succeeded: boolean;
        };
        /** QuickMatchStatus */
        QuickMatchStatus: {
            /**
             * Format: uint32
             * @description Players in games of quick match.
             */
            playing: number;
            /** Format: int64 */
            waitedMs: number;
            /**
             * Format: uint32
             * @description All who look for an opponent outside events.
             */
            waiting: number;
            /**
             * Format: uint32
             * @description The difference of ratings that is accepted by now.
             */
            window: number;
        };
        /** RankedPlayer */
        RankedPlayer: {
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /**
             * Format: uint32
             * @description Counted from 1.
             */
            rank: number;
            rating: components["schemas"]["Rating"];
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /**
         * Rating
         * @description A user's rating.
         */
        Rating: {
            /**
             * Format: uint32
             * @description How far off the value may be: one standard deviation. It grows while the user does not play.
             */
            deviation: number;
            /**
             * Format: uint32
             * @description Rated games.
             */
            games: number;
            /** @description The deviation is 110 or more, so the user is in no list. */
            provisional: boolean;
            /** Format: uint32 */
            value: number;
        };
        /**
         * RatingChange
         * @description What a game did to a player's rating.
         */
        RatingChange: {
            /** Format: uint32 */
            after: number;
            /** Format: uint32 */
            before: number;
            /** @description The deviation is still 110 or more. */
            provisional: boolean;
            /** Format: uuid */
            userId: string;
        };
        /**
         * RatingChanged
         * @description The result of a rated game is in the ratings: moments after its end, to both players and all who have it open.
         */
        RatingChanged: {
            /** Format: uuid */
            gameId: string;
            /** @description Those who still have an account. */
            players: components["schemas"]["RatingChange"][];
        };
        /** RatingListAnswer */
        RatingListAnswer: {
            /** @description The caller's place and rating; absent for guests and operator tokens. */
            own?: components["schemas"]["OwnRating"];
            pagination: components["schemas"]["Pagination"];
            /** @description The best first. */
            players: components["schemas"]["RankedPlayer"][];
            succeeded: boolean;
        };
        /** RatingPoint */
        RatingPoint: {
            /** Format: date-time */
            at: string;
            /** Format: uint32 */
            value: number;
        };
        /**
         * React
         * @description At most one in 3 s.
         */
        React: {
            /** Format: uuid */
            gameId: string;
            reaction: components["schemas"]["Reaction"];
        };
        /**
         * @description What a player can say to the other.
         * @enum {string}
         */
        Reaction: "wellPlayed" | "goodLuck" | "thanks" | "wow" | "oops" | "thinking";
        /** RecentActivity */
        RecentActivity: {
            /**
             * Format: double
             * @description Errors among all records of the last 24 hours, 0 to 1.
             */
            errorRate: number;
            /** Format: uint64 */
            last24Hours: number;
        };
        /** RecordResult */
        RecordResult: {
            didWin: boolean;
            /** Format: uuid */
            eventId?: string;
            /** @description Why; it stands in the receipt. */
            reason?: string;
            /** Format: uuid */
            userId: string;
        };
        RecordResultAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "record_result";
            payload: components["schemas"]["RecordResult"];
        };
        /**
         * RecoveryCodesAnswer
         * @description Shown this once; those before are no longer good.
         */
        RecoveryCodesAnswer: {
            recoveryCodes: string[];
            succeeded: boolean;
        };
        /** RedirectToGame */
        RedirectToGame: {
            /** Format: uuid */
            gameId: string;
            /**
             * Format: uint32
             * @description 1500.
             */
            redirectInMs: number;
        };
        /** RefreshLeaderboard */
        RefreshLeaderboard: {
            /** Format: uuid */
            eventId: string;
        };
        /**
         * RegisterRequest
         * @description Makes an account and signs it in.
         */
        RegisterRequest: {
            accountType: components["schemas"]["AccountType"];
            /** @description The provider's ID token. */
            credential?: string;
            email: string;
            firstName: string;
            isGoogleAccount: boolean;
            /**
             * @description A guest whose provider account exists already brings their games along; one who makes an account keeps them
             *     in any case.
             */
            keepGuestGames?: boolean;
            lastName: string;
            password?: string;
            /** @description Required without a provider; with one it is made of the name there if it is absent. */
            username?: string;
        };
        /**
         * ReinstatePlayer
         * @description Lets a player who was withdrawn, also because of absence, or disqualified, play from the next stage round on. They are
         *     told why.
         */
        ReinstatePlayer: {
            /** Format: uuid */
            eventId: string;
            reason: string;
            /** Format: uuid */
            userId: string;
        };
        ReinstatePlayerAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "reinstate_player";
            payload: components["schemas"]["ReinstatePlayer"];
        };
        /**
         * RematchOffer
         * @description An offer to play again was made, or answered. Both players get it, with every connection.
         */
        RematchOffer: {
            /**
             * Format: uuid
             * @description The game that is over.
             */
            gameId: string;
            /**
             * Format: uuid
             * @description The game that is offered.
             */
            nextGameId: string;
            /**
             * Format: uuid
             * @description Who offers it.
             */
            offeredBy: string;
            state: components["schemas"]["RematchState"];
        };
        /**
         * @description What became of an offer to play again.
         * @enum {string}
         */
        RematchState: "offered" | "accepted" | "declined" | "withdrawn" | "expired";
        /**
         * RemoveParticipant
         * @description Takes a player out, until the winners are final: out of the queue, the room and the order of winners. A live
         *     game is lost.
         */
        RemoveParticipant: {
            /** Format: uuid */
            eventId: string;
            reason: string;
            /** Format: uuid */
            userId: string;
        };
        RemoveParticipantAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "remove_participant";
            payload: components["schemas"]["RemoveParticipant"];
        };
        /** RemovePasskey */
        RemovePasskey: {
            passkeyId: string;
        };
        /** RemovePaymentMethod */
        RemovePaymentMethod: {
            paymentMethodId: string;
        };
        /** RemovePicture */
        RemovePicture: {
            reason: string;
            /** Format: uuid */
            userId: string;
        };
        RemovePictureAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "remove_picture";
            payload: components["schemas"]["RemovePicture"];
        };
        /**
         * RemoveSecondFactor
         * @description By username, or by an email that its owner confirmed. Its owner signs in without a second factor again,
         *     and is told by email. For an admin's account only with the token in the data folder.
         */
        RemoveSecondFactor: {
            account: string;
            reason: string;
        };
        RemoveSecondFactorAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "remove_second_factor";
            payload: components["schemas"]["RemoveSecondFactor"];
        };
        /** RemoveSignup */
        RemoveSignup: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId?: string;
        };
        RemoveSignupAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "remove_signup";
            payload: components["schemas"]["RemoveSignup"];
        };
        /**
         * RemovedFromRoom
         * @description Too many games in a row were lost by absence; the event's page leads back in.
         */
        RemovedFromRoom: {
            /** Format: uuid */
            eventId: string;
            message: string;
        };
        /** RenamePasskey */
        RenamePasskey: {
            /** @description 1 to 40 characters. */
            name: string;
            passkeyId: string;
        };
        /**
         * RenameUser
         * @description Without a username and a display name the account gets neutral ones.
         */
        RenameUser: {
            displayName?: string;
            reason: string;
            /** Format: uuid */
            userId: string;
            username?: string;
        };
        RenameUserAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "rename_user";
            payload: components["schemas"]["RenameUser"];
        };
        /**
         * RenewJoinCode
         * @description Gives a private event another join code; the one before is not good any more.
         */
        RenewJoinCode: {
            /** Format: uuid */
            eventId: string;
        };
        RenewJoinCodeAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "renew_join_code";
            payload: components["schemas"]["RenewJoinCode"];
        };
        /**
         * ReopenEvent
         * @description Opens a concluded event for corrections; nobody plays in it.
         */
        ReopenEvent: {
            /** Format: uuid */
            eventId: string;
            reason: string;
        };
        ReopenEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "reopen_event";
            payload: components["schemas"]["ReopenEvent"];
        };
        /**
         * Replay
         * @description A finished game, from the first move to the last.
         */
        Replay: {
            clock: components["schemas"]["TimeControl"];
            /** Format: date-time */
            createdAt: string;
            /** @description As of the game's state. */
            decision?: string;
            /** Format: date-time */
            endedAt?: string;
            eventId: string;
            /** Format: uuid */
            gameId: string;
            gameType: components["schemas"]["GameType"];
            isDraw: boolean;
            players: components["schemas"]["ReplayPlayer"][];
            /** @description The result counted for the players' ratings. Absent for invite games, which are never rated. */
            rated?: boolean;
            reason?: components["schemas"]["EndReason"];
            rounds: components["schemas"]["ReplayRound"][];
            winner?: components["schemas"]["Symbol"];
        };
        /** ReplayAnswer */
        ReplayAnswer: {
            /** @description The game as text with tags. */
            notation: string;
            replay: components["schemas"]["Replay"];
            succeeded: boolean;
        };
        /**
         * ReplayMatch
         * @description A match of the last stage round that was paired is played again: neither its games nor its result count. A game of it
         *     that is played is void.
         */
        ReplayMatch: {
            /** Format: uint32 */
            board: number;
            /** Format: uuid */
            eventId: string;
            /**
             * Format: uuid
             * @description A game of the match that the caller saw. It is refused where the match is played again already.
             */
            gameId?: string;
            reason: string;
            /**
             * Format: uint32
             * @description From 1, as `board`.
             */
            round: number;
        };
        ReplayMatchAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "replay_match";
            payload: components["schemas"]["ReplayMatch"];
        };
        /** ReplayPlayer */
        ReplayPlayer: {
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** @description Where the picture is, 128 pixels wide; absent without one. */
            profileUrl?: string;
            /** @description The present one; absent for guests and deleted accounts. */
            rating?: components["schemas"]["PlayerRating"];
            symbol: components["schemas"]["Symbol"];
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /** ReplayRound */
        ReplayRound: {
            /** Format: uint8 */
            boardSize: number;
            moves: components["schemas"]["GameMove"][];
            starter: components["schemas"]["Symbol"];
        };
        /** Report */
        Report: {
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            closedAt?: string;
            /** @description A username, or the name of an operator token. */
            closedBy?: string;
            evidence: components["schemas"]["ReportEvidence"];
            /** Format: uuid */
            gameId?: string;
            kind: components["schemas"]["ReportKind"];
            note?: string;
            outcome?: components["schemas"]["ReportOutcome"];
            /** Format: uuid */
            reportId: string;
            /** @description Absent if the account is gone. */
            reporter?: components["schemas"]["UserProfile"];
            /**
             * Format: uint64
             * @description Open reports about the same person, this one included.
             */
            sameSubjectOpen: number;
            state: components["schemas"]["ReportState"];
            subject?: components["schemas"]["UserProfile"];
            /** @description Of the subject, if it is in force. */
            suspension?: components["schemas"]["Suspension"];
            text: string;
        };
        /** ReportAnswer */
        ReportAnswer: {
            report: components["schemas"]["Report"];
            succeeded: boolean;
        };
        /**
         * ReportEvidence
         * @description What was reported, as it was at that time.
         */
        ReportEvidence: {
            displayName: string;
            /** @description The picture as a data: address. */
            picture?: string;
            username: string;
        };
        /**
         * @description What a report is about.
         * @enum {string}
         */
        ReportKind: "name" | "picture" | "behaviour" | "engine";
        /**
         * @description What an admin decided.
         * @enum {string}
         */
        ReportOutcome: "dismissed" | "upheld";
        /** @enum {string} */
        ReportState: "open" | "closed";
        /**
         * ReportUser
         * @description A further report about the same person for the same reason replaces an open one.
         */
        ReportUser: {
            /**
             * Format: uuid
             * @description The game that it is about.
             */
            gameId?: string;
            kind: components["schemas"]["ReportKind"];
            /** @description At most 500 characters. */
            text?: string;
            /** Format: uuid */
            userId: string;
        };
        ReportUserAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "report_user";
            payload: components["schemas"]["ReportUser"];
        };
        /** ReportsAnswer */
        ReportsAnswer: {
            pagination: components["schemas"]["Pagination"];
            reports: components["schemas"]["Report"][];
            succeeded: boolean;
        };
        /**
         * RequestEmailChange
         * @description Mails a code to another email that the account is to have.
         */
        RequestEmailChange: {
            newEmail: string;
            /** @description A proof. Without it the last one must be at most 10 minutes old. */
            password?: string;
        };
        /**
         * RequestEmailCode
         * @description Asks for a code to one's email, or to another one if one's own is not verified.
         */
        RequestEmailCode: {
            email?: string;
        };
        /**
         * RequestVerificationCode
         * @description Asks for a recovery code; the answer is the same whether or not the email is known.
         */
        RequestVerificationCode: {
            email: string;
        };
        /**
         * RequestVerificationCodeAnswer
         * @description `succeeded` stands at the top and under `data`, since clients read either.
         */
        RequestVerificationCodeAnswer: {
            data: components["schemas"]["SucceededData"];
            succeeded: boolean;
        };
        /**
         * ResendDelivery
         * @description Sends a finished delivery again, with the same id and body.
         */
        ResendDelivery: {
            /** Format: uuid */
            messageId: string;
            /** Format: uuid */
            webhookId: string;
        };
        ResendDeliveryAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "resend_delivery";
            payload: components["schemas"]["ResendDelivery"];
        };
        /**
         * ResetPassword
         * @description By username, or by an email that its owner confirmed. Ends every session of the account. For an admin's
         *     only with the token in the data folder.
         */
        ResetPassword: {
            account: string;
            newPassword: string;
        };
        ResetPasswordAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "reset_password";
            payload: components["schemas"]["ResetPassword"];
        };
        /** Results */
        Results: {
            /** Format: uint64 */
            draws: number;
            /** Format: uint64 */
            losses: number;
            /** Format: uint64 */
            wins: number;
        };
        /**
         * ResumeEvent
         * @description The next stage round may begin again.
         */
        ResumeEvent: {
            /** Format: uuid */
            eventId: string;
        };
        ResumeEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "resume_event";
            payload: components["schemas"]["ResumeEvent"];
        };
        /** ResumeSubscription */
        ResumeSubscription: Record<string, never>;
        ResumeSubscriptionAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "resume_subscription";
            payload: components["schemas"]["ResumeSubscription"];
        };
        /**
         * RevokeAllSessions
         * @description Signs out everywhere.
         */
        RevokeAllSessions: {
            /** @description The session that asks ends too. */
            includeCurrent: boolean;
        };
        /** RevokeAllSessionsAnswer */
        RevokeAllSessionsAnswer: {
            /**
             * Format: uint64
             * @description How many sessions ended.
             */
            revoked: number;
            succeeded: boolean;
        };
        /** RevokePro */
        RevokePro: {
            reason: string;
            /** Format: uuid */
            userId: string;
        };
        RevokeProAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "revoke_pro";
            payload: components["schemas"]["RevokePro"];
        };
        /** RevokeSession */
        RevokeSession: {
            sessionId: string;
        };
        /** RevokeSessionAction */
        RevokeSessionAction: {
            sessionId: string;
            /** Format: uuid */
            userId: string;
        };
        RevokeSessionActionAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "revoke_session";
            payload: components["schemas"]["RevokeSessionAction"];
        };
        /** RevokeToken */
        RevokeToken: {
            tokenId: string;
        };
        RevokeTokenAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "revoke_token";
            payload: components["schemas"]["RevokeToken"];
        };
        /**
         * RoundEnded
         * @description All matches of a stage round are decided.
         */
        RoundEnded: {
            /** Format: uuid */
            eventId: string;
            /** Format: uint32 */
            round: number;
        };
        /**
         * RoundPaired
         * @description A stage round of an event was paired: its matches are to be read.
         */
        RoundPaired: {
            /** Format: uuid */
            eventId: string;
            /** Format: uint32 */
            round: number;
        };
        /**
         * @description Planned: not all of its players are known, or it has not begun.
         * @enum {string}
         */
        RoundState: "planned" | "playing" | "ended";
        /** RoundsAnswer */
        RoundsAnswer: {
            /**
             * Format: uint32
             * @description How many there will be, as far as it is known now.
             */
            expectedRounds: number;
            /** @description Empty before the start, and in an arena. */
            rounds: components["schemas"]["StageRound"][];
            succeeded: boolean;
        };
        /** SearchLogs */
        SearchLogs: {
            filter?: components["schemas"]["LogFilter"];
            /** Format: uint32 */
            limit?: number;
            /** Format: uint32 */
            page?: number;
            query: string;
        };
        /**
         * SearchUser
         * @description Usernames and display names that contain the text (at least 2 characters).
         */
        SearchUser: {
            /** Format: uint32 */
            limit?: number;
            text: string;
        };
        /**
         * SearchUserProfile
         * @description As `search_user`, without the caller: for choosing somebody to invite. Or one person, by `userId` without a text.
         */
        SearchUserProfile: {
            /** Format: uint32 */
            limit?: number;
            text?: string;
            /**
             * Format: uuid
             * @description With a text: the caller, whom results leave out.
             */
            userId?: string;
        };
        /**
         * SecondFactorAnswer
         * @description The second factor of one's own account.
         */
        SecondFactorAnswer: {
            passkeys: components["schemas"]["Passkey"][];
            /** @description This server can use passkeys: its address is a name, not an IP address. */
            passkeysAvailable: boolean;
            /** Format: uint32 */
            recoveryCodesLeft: number;
            /** @description The server asks this account for a second factor (`identity.require_second_factor`). */
            required: boolean;
            succeeded: boolean;
            /** @description An authenticator app is set up. */
            totp: boolean;
        };
        /** Series */
        Series: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uint32 */
            daysAhead: number;
            description: string;
            /** Format: uint32 */
            durationMinutes: number;
            /**
             * Format: date-time
             * @description Absent while it makes events.
             */
            endedAt?: string;
            firstStart: string;
            name: string;
            /** @description The next five; none of a series that was ended. */
            nextDates: components["schemas"]["SeriesDate"][];
            points: number[];
            rule: string;
            /** Format: uuid */
            seriesId: string;
            /** @description What its events are made from, as a draft; for admins. */
            template?: components["schemas"]["Event"];
            timeZone: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** SeriesAnswer */
        SeriesAnswer: {
            series: components["schemas"]["Series"];
            succeeded: boolean;
        };
        /**
         * SeriesDate
         * @description A date of a series.
         */
        SeriesDate: {
            /** @description `2027-03-05`, in the time zone of the series. */
            date: string;
            /** Format: date-time */
            startsAt: string;
        };
        /** SeriesDatesAnswer */
        SeriesDatesAnswer: {
            /** @description At most five. */
            dates: components["schemas"]["SeriesDate"][];
            succeeded: boolean;
        };
        /** SeriesListAnswer */
        SeriesListAnswer: {
            pagination: components["schemas"]["Pagination"];
            series: components["schemas"]["Series"][];
            succeeded: boolean;
        };
        /** SeriesPageAnswer */
        SeriesPageAnswer: {
            /** @description At most 20 that are over or were cancelled, the latest first. */
            past: components["schemas"]["Event"][];
            series: components["schemas"]["Series"];
            succeeded: boolean;
            /** @description At most 20 that are not over, the first first. */
            upcoming: components["schemas"]["Event"][];
        };
        /** SeriesTableAnswer */
        SeriesTableAnswer: {
            /**
             * Format: uint32
             * @description Concluded events, of the latest 200.
             */
            countedEvents: number;
            pagination: components["schemas"]["Pagination"];
            rows: components["schemas"]["SeriesTableRow"][];
            succeeded: boolean;
        };
        /** SeriesTableRow */
        SeriesTableRow: {
            displayName: string;
            /**
             * Format: uint32
             * @description Events that brought points.
             */
            events: number;
            /**
             * Format: uint32
             * @description First places.
             */
            firsts: number;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** Format: uint32 */
            points: number;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /**
             * Format: uint32
             * @description From 1; who has as many points, first places, second places and so on shares it.
             */
            rank: number;
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /** ServerDraining */
        ServerDraining: {
            /** Format: uint32 */
            reconnectInMs: number;
        };
        ServerFrame: {
            data: components["schemas"]["Ack"];
            /** @enum {string} */
            event: "ack";
            id?: string;
        } | {
            data: components["schemas"]["Authenticated"];
            /** @enum {string} */
            event: "authenticated";
            id?: string;
        } | {
            data: components["schemas"]["GameJoined"];
            /** @enum {string} */
            event: "gameJoined";
            id?: string;
        } | {
            data: components["schemas"]["GameStarted"];
            /** @enum {string} */
            event: "gameStarted";
            id?: string;
        } | {
            data: components["schemas"]["GameError"];
            /** @enum {string} */
            event: "gameError";
            id?: string;
        } | {
            data: components["schemas"]["MoveUpdate"];
            /** @enum {string} */
            event: "moveUpdate";
            id?: string;
        } | {
            data: components["schemas"]["MoveRejected"];
            /** @enum {string} */
            event: "moveRejected";
            id?: string;
        } | {
            data: components["schemas"]["GameEnd"];
            /** @enum {string} */
            event: "gameEnd";
            id?: string;
        } | {
            data: components["schemas"]["GameDraw"];
            /** @enum {string} */
            event: "gameDraw";
            id?: string;
        } | {
            data: components["schemas"]["OpponentDisconnected"];
            /** @enum {string} */
            event: "opponentDisconnected";
            id?: string;
        } | {
            data: components["schemas"]["OpponentReconnected"];
            /** @enum {string} */
            event: "opponentReconnected";
            id?: string;
        } | {
            data: components["schemas"]["GameCancelled"];
            /** @enum {string} */
            event: "gameCancelled";
            id?: string;
        } | {
            data: components["schemas"]["GameInvitation"];
            /** @enum {string} */
            event: "gameInvitation";
            id?: string;
        } | {
            data: components["schemas"]["PlayerReaction"];
            /** @enum {string} */
            event: "reaction";
            id?: string;
        } | {
            data: components["schemas"]["RematchOffer"];
            /** @enum {string} */
            event: "rematchOffer";
            id?: string;
        } | {
            data: components["schemas"]["CheckLoginActivity"];
            /** @enum {string} */
            event: "check-everone-login-activity";
            id?: string;
        } | {
            data: components["schemas"]["ErrorMessage"];
            /** @enum {string} */
            event: "error";
            id?: string;
        } | {
            data: components["schemas"]["EventJoined"];
            /** @enum {string} */
            event: "eventJoined";
            id?: string;
        } | {
            data: components["schemas"]["QueueState"];
            /** @enum {string} */
            event: "matchmakingStarted";
            id?: string;
        } | {
            data: components["schemas"]["QueueState"];
            /** @enum {string} */
            event: "queueUpdate";
            id?: string;
        } | {
            data: components["schemas"]["PlayerFound"];
            /** @enum {string} */
            event: "playerFound";
            id?: string;
        } | {
            data: components["schemas"]["MatchmakingCancelled"];
            /** @enum {string} */
            event: "matchmakingCancelled";
            id?: string;
        } | {
            data: components["schemas"]["QuickMatchStatus"];
            /** @enum {string} */
            event: "quickMatchStatus";
            id?: string;
        } | {
            data: components["schemas"]["QuickMatchEnded"];
            /** @enum {string} */
            event: "quickMatchEnded";
            id?: string;
        } | {
            data: components["schemas"]["RatingChanged"];
            /** @enum {string} */
            event: "ratingChanged";
            id?: string;
        } | {
            data: components["schemas"]["RedirectToGame"];
            /** @enum {string} */
            event: "redirectToGame";
            id?: string;
        } | {
            data: components["schemas"]["RefreshLeaderboard"];
            /** @enum {string} */
            event: "refreshLeaderboard";
            id?: string;
        } | {
            data: components["schemas"]["RoundPaired"];
            /** @enum {string} */
            event: "roundPaired";
            id?: string;
        } | {
            data: components["schemas"]["RoundEnded"];
            /** @enum {string} */
            event: "roundEnded";
            id?: string;
        } | {
            data: components["schemas"]["StandingsChanged"];
            /** @enum {string} */
            event: "standingsChanged";
            id?: string;
        } | {
            data: components["schemas"]["EventStateChanged"];
            /** @enum {string} */
            event: "eventStateChanged";
            id?: string;
        } | {
            data: components["schemas"]["StillThere"];
            /** @enum {string} */
            event: "stillThere";
            id?: string;
        } | {
            data: components["schemas"]["RemovedFromRoom"];
            /** @enum {string} */
            event: "removedFromRoom";
            id?: string;
        } | {
            data: components["schemas"]["EventAnnouncement"];
            /** @enum {string} */
            event: "eventAnnouncement";
            id?: string;
        } | {
            data: components["schemas"]["EventReminder"];
            /** @enum {string} */
            event: "eventReminder";
            id?: string;
        } | {
            data: components["schemas"]["EventNews"];
            /** @enum {string} */
            event: "eventNews";
            id?: string;
        } | {
            data: components["schemas"]["PresenceChanged"];
            /** @enum {string} */
            event: "presenceChanged";
            id?: string;
        } | {
            data: components["schemas"]["EventConcluded"];
            /** @enum {string} */
            event: "eventConcluded";
            id?: string;
        } | {
            data: components["schemas"]["ServerDraining"];
            /** @enum {string} */
            event: "serverDraining";
            id?: string;
        } | {
            data: components["schemas"]["LogEntry"];
            /** @enum {string} */
            event: "logAppended";
            id?: string;
        } | {
            data: components["schemas"]["LiveGamesChanged"];
            /** @enum {string} */
            event: "liveGamesChanged";
            id?: string;
        } | {
            data: components["schemas"]["LiveNow"];
            /** @enum {string} */
            event: "liveNow";
            id?: string;
        } | {
            data: components["schemas"]["WatchersChanged"];
            /** @enum {string} */
            event: "watchersChanged";
            id?: string;
        };
        /** Session */
        Session: {
            address: string;
            /** Format: date-time */
            createdAt: string;
            /** @description For example `Firefox on Linux`. */
            device: string;
            /**
             * Format: date-time
             * @description When it ends if it is not used before then.
             */
            expiresAt: string;
            /** @description The session that asks. */
            isCurrent: boolean;
            /** Format: date-time */
            lastUsedAt: string;
            sessionId: string;
        };
        /** SessionsAnswer */
        SessionsAnswer: {
            sessions: components["schemas"]["Session"][];
            succeeded: boolean;
        };
        /** SetAdmin */
        SetAdmin: {
            isAdmin: boolean;
            /** Format: uuid */
            userId: string;
        };
        SetAdminAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "set_admin";
            payload: components["schemas"]["SetAdmin"];
        };
        /**
         * SetDefaultPaymentMethod
         * @description The plan is paid with it from now on.
         */
        SetDefaultPaymentMethod: {
            paymentMethodId: string;
        };
        SetDefaultPaymentMethodAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "set_default_payment_method";
            payload: components["schemas"]["SetDefaultPaymentMethod"];
        };
        /** SetEvent */
        SetEvent: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId: string;
        };
        SetEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "set_event";
            payload: components["schemas"]["SetEvent"];
        };
        /**
         * SetResult
         * @description Decides a match of an event that is no arena, also against its games; without a winner both have lost. A game of it that
         *     is played is void. A later match of a knockout that has not begun gets other players; no pairing changes else.
         */
        SetResult: {
            /** Format: uint32 */
            board: number;
            /** Format: uuid */
            eventId: string;
            reason: string;
            /**
             * Format: uint32
             * @description From 1, as `board`.
             */
            round: number;
            /** Format: uuid */
            winnerUserId?: string;
        };
        SetResultAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "set_result";
            payload: components["schemas"]["SetResult"];
        };
        /** SetupAnswer */
        SetupAnswer: {
            /** @description There is no admin yet and the token, if one was sent, is good. */
            open: boolean;
            succeeded: boolean;
        };
        /** SetupIntentAnswer */
        SetupIntentAnswer: {
            clientSecret: string;
            succeeded: boolean;
        };
        /**
         * SetupRequest
         * @description Makes the first admin, with the one-time token of the printed link.
         */
        SetupRequest: {
            email: string;
            firstName: string;
            lastName: string;
            password: string;
            token: string;
            username: string;
        };
        /** ShareGame */
        ShareGame: {
            /** Format: uuid */
            gameId: string;
        };
        ShareGameAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "share_game";
            payload: components["schemas"]["ShareGame"];
        };
        /** ShareGameAnswer */
        ShareGameAnswer: {
            shareToken: string;
            succeeded: boolean;
        };
        /**
         * ShowPushExample
         * @description Shows an example in the browser that calls, which has to be subscribed.
         */
        ShowPushExample: Record<string, never>;
        ShowPushExampleAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "show_push_example";
            payload: components["schemas"]["ShowPushExample"];
        };
        /** @description Oneself as a whole; somebody else without what is private. */
        ShownUser: components["schemas"]["User"] | components["schemas"]["UserProfile"];
        /** SignUp */
        SignUp: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId?: string;
        };
        SignUpAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "sign_up";
            payload: components["schemas"]["SignUp"];
        };
        /**
         * SignUpByCode
         * @description Signs up for the private event with this join code, and joins it if it has started.
         */
        SignUpByCode: {
            joinCode: string;
        };
        SignUpByCodeAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "sign_up_by_code";
            payload: components["schemas"]["SignUpByCode"];
        };
        /** SignUpStatusAnswer */
        SignUpStatusAnswer: {
            /** @description As of a sign-up. */
            checkedIn?: boolean;
            isSignedUp: boolean;
            succeeded: boolean;
        };
        /** Signup */
        Signup: {
            /** Format: uuid */
            _id: string;
            /** @description Whether they have checked in, or joined since. Absent without a check-in, and for events that are long over. */
            checkedIn?: boolean;
            /** Format: date-time */
            createdAt: string;
            displayName: string;
            /** @description For admins only. */
            email?: string;
            /** Format: uuid */
            eventId: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** Format: uint32 */
            level: number;
            /** Format: uint32 */
            losses: number;
            /**
             * @description In the list of an event that is published or under way, for those who direct it; absent otherwise. The frame
             *     `presenceChanged` has its changes.
             */
            presence?: components["schemas"]["Presence"];
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /** Format: uuid */
            signupId: string;
            status: components["schemas"]["SignupStatus"];
            /** Format: uuid */
            userId: string;
            username: string;
            /** Format: uint32 */
            wins: number;
        };
        /** SignupAnswer */
        SignupAnswer: {
            signup: components["schemas"]["Signup"];
            succeeded: boolean;
        };
        /** @enum {string} */
        SignupStatus: "registered" | "active" | "eliminated" | "removed";
        /** SignupsAnswer */
        SignupsAnswer: {
            pagination: components["schemas"]["Pagination"];
            signups: components["schemas"]["Signup"][];
            succeeded: boolean;
        };
        /**
         * SiteAnswer
         * @description Who runs this server and where its public pages lead. What the operator left out is absent.
         */
        SiteAnswer: {
            androidAppUrl?: string;
            iosAppUrl?: string;
            /** @description Where identities are verified. */
            kycUrl?: string;
            /** @description A mail address or a URL. */
            operatorContact?: string;
            operatorName?: string;
            succeeded: boolean;
        };
        /** @enum {string} */
        SortOrder: "asc" | "desc";
        /** SpectatableGames */
        SpectatableGames: {
            /** Format: uuid */
            eventId: string;
        };
        /** SpectateGame */
        SpectateGame: {
            /** Format: uuid */
            gameId: string;
        };
        /** StageGame */
        StageGame: {
            /** Format: uuid */
            gameId: string;
            /** Format: uuid */
            winnerUserId?: string;
        };
        /**
         * StagePairing
         * @description A match.
         */
        StagePairing: {
            /**
             * Format: uint32
             * @description From 1. In a knockout the winners of boards 2n - 1 and 2n meet on board n of the next round.
             */
            board: number;
            /** @description Its player has no opponent. */
            bye: boolean;
            /** @description Those that were opened, in order. */
            games: components["schemas"]["StageGame"][];
            /** @description The first one plays X in the first game. Fewer than two where the others are not known yet, and in a bye. */
            players: components["schemas"]["StagePlayer"][];
            /** @description Absent while it is not decided. */
            reason?: components["schemas"]["MatchReason"];
            /**
             * Format: uuid
             * @description Absent while it is not decided, and where both lost.
             */
            winnerUserId?: string;
        };
        /**
         * StagePlayer
         * @description A player of a match.
         */
        StagePlayer: {
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /**
             * Format: uint32
             * @description From 1, by rating at the start; late players follow.
             */
            seed: number;
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /** StageRound */
        StageRound: {
            /**
             * Format: date-time
             * @description The fixed time before which a planned round does not begin, also one that is not paired yet; absent for others.
             */
            notBefore?: string;
            pairings: components["schemas"]["StagePairing"][];
            /**
             * Format: uint32
             * @description From 1.
             */
            round: number;
            /**
             * Format: date-time
             * @description When its games open; absent where it is not paired yet.
             */
            startsAt?: string;
            state: components["schemas"]["RoundState"];
        };
        /** StageStanding */
        StageStanding: {
            displayName: string;
            /** @description Why they are disqualified; for themselves and those who direct the event. */
            disqualification?: string;
            disqualified: boolean;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /**
             * Format: double
             * @description Matches won; byes count, but in a round robin and in a knockout.
             */
            points: number;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /**
             * Format: uint32
             * @description From 1. Players whom nothing tells apart share it.
             */
            rank: number;
            /** Format: uint32 */
            seed: number;
            /** @description How the tie-breaks came; only of the user who was asked for. */
            terms?: components["schemas"]["TieBreakTerm"][];
            /** @description Absent in a knockout. */
            tieBreaks?: components["schemas"]["TieBreaks"];
            /** Format: uuid */
            userId: string;
            username: string;
            /** @description Also of a player who is disqualified. */
            withdrawn: boolean;
        };
        /** StandingsAnswer */
        StandingsAnswer: {
            /** @description Empty before the start, and in an arena. */
            standings: components["schemas"]["StageStanding"][];
            succeeded: boolean;
        };
        /**
         * StandingsChanged
         * @description Matches of an event's stage rounds were begun or decided: rounds and standings are to be read again.
         */
        StandingsChanged: {
            /** Format: uuid */
            eventId: string;
        };
        /** StartEvent */
        StartEvent: {
            /** Format: uuid */
            eventId: string;
        };
        StartEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "start_event";
            payload: components["schemas"]["StartEvent"];
        };
        /**
         * StartRound
         * @description The games of the stage round that waits open at once.
         */
        StartRound: {
            /** Format: uuid */
            eventId: string;
            /**
             * Format: uint32
             * @description From 1. One that has begun is refused.
             */
            round: number;
        };
        StartRoundAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "start_round";
            payload: components["schemas"]["StartRound"];
        };
        /**
         * StillThere
         * @description A game was lost by absence: nobody is paired again who does not say that they are there (`findMatch`).
         */
        StillThere: {
            /** Format: uuid */
            eventId: string;
            /**
             * Format: uint32
             * @description With so many the room is left.
             */
            maxStrikes: number;
            reason: components["schemas"]["AbsenceReason"];
            /**
             * Format: uint32
             * @description Such losses in a row.
             */
            strikes: number;
        };
        /** StoreHealth */
        StoreHealth: {
            /**
             * Format: uint64
             * @description Moves waiting for their commit.
             */
            pending: number;
            /** @description A write was answered within the last 5 seconds. */
            ready: boolean;
        };
        /** StripeKeyAnswer */
        StripeKeyAnswer: {
            /** @description Only ever a publishable key (`pk_…`). */
            PUBLISHABLE_SECRET_KEY: string;
            /**
             * @description Where the payment form is to call instead of Stripe, without a trailing slash: a stand-in for developing
             *     and testing, which Stripe's own form cannot talk to. Absent with Stripe itself.
             */
            apiBase?: string;
            succeeded: boolean;
        };
        /**
         * Subscribe
         * @description Reports a payment; the server asks the provider whether it is true.
         */
        Subscribe: {
            /** @description Not believed. */
            isPaid: boolean;
            paymentIntentId: string;
            paymentMethodeId: string;
            /** @description A number is taken too. */
            planId: string;
            /**
             * Format: uuid
             * @description The caller, if given.
             */
            user?: string;
        };
        SubscribeAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "subscribe";
            payload: components["schemas"]["Subscribe"];
        };
        /** SubscribeLiveGames */
        SubscribeLiveGames: Record<string, never>;
        /** SubscribeLogs */
        SubscribeLogs: {
            filter?: components["schemas"]["LogFilter"];
        };
        /**
         * SubscribePush
         * @description As `PushSubscription.toJSON()` of a browser has it. It takes the place of an earlier one of this session, and of one
         *     of another account with this endpoint.
         */
        SubscribePush: {
            /** @description Its secret of 16 bytes, in base64url. */
            auth: string;
            /** @description The address of the push service, over HTTPS: at most 1024 characters. */
            endpoint: string;
            /** @description The browser's public key, an uncompressed point of P-256, in base64url. */
            p256dh: string;
        };
        SubscribePushAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "subscribe_push";
            payload: components["schemas"]["SubscribePush"];
        };
        /** Subscription */
        Subscription: {
            /**
             * Format: date-time
             * @description It ends then and is not renewed.
             */
            endsAt?: string;
            /**
             * Format: date-time
             * @description A payment failed; Pro lasts until then.
             */
            graceUntil?: string;
            /** @description Granted by an operator. */
            isGranted: boolean;
            /** @description A payment was made and has not arrived yet; Pro begins, or goes on, when it has. Absent otherwise. */
            isProcessing?: boolean;
            isSubScribe: boolean;
            name?: string;
            /** Format: date-time */
            nextPaymentDate?: string;
            planId?: string;
            /**
             * Format: int64
             * @description In cents.
             */
            price?: number;
        };
        /** SubscriptionAnswer */
        SubscriptionAnswer: {
            /** @description With it a browser confirms the payment that a change of the plan waits for. */
            clientSecret?: string;
            /** Format: uint32 */
            freeEventsLimit?: number;
            /**
             * Format: date-time
             * @description When the count begins anew.
             */
            freeEventsResetAt?: string;
            /**
             * Format: uint32
             * @description Events joined this month, of those that the free plan allows; absent with Pro, which has no limit.
             */
            freeEventsUsed?: number;
            /** @description Answers `subscribe`, `change_plan` and `finish_plan_change`: what became of the payment. */
            paymentStatus?: components["schemas"]["PaymentStatus"];
            subscription: components["schemas"]["Subscription"];
            succeeded: boolean;
        };
        /** SucceededData */
        SucceededData: {
            succeeded: boolean;
        };
        /**
         * SuspendUser
         * @description Ends the account's sessions, live games and sign-ups, and refuses every sign-in. Without an operator token the last
         *     proof must be at most 10 minutes old.
         */
        SuspendUser: {
            /** @description Shown to the person: 1 to 500 characters. */
            reason: string;
            /**
             * Format: date-time
             * @description Without an end if absent.
             */
            until?: string;
            /** Format: uuid */
            userId: string;
        };
        SuspendUserAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "suspend_user";
            payload: components["schemas"]["SuspendUser"];
        };
        /** Suspension */
        Suspension: {
            /** Format: date-time */
            at: string;
            reason: string;
            /**
             * Format: date-time
             * @description Absent for one without an end.
             */
            until?: string;
        };
        /** @enum {string} */
        Symbol: "X" | "O";
        /**
         * TestWebhook
         * @description Sends a message of the type `webhook.test`, without retries. One at a time.
         */
        TestWebhook: {
            /** Format: uuid */
            webhookId: string;
        };
        TestWebhookAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "test_webhook";
            payload: components["schemas"]["TestWebhook"];
        };
        /** @enum {string} */
        TieBreakName: "buchholzCut1" | "buchholz" | "sonnebornBerger" | "wins" | "headToHead";
        /**
         * TieBreakTerm
         * @description What a stage round added to a tie-break.
         */
        TieBreakTerm: {
            /** @description Whether it is left out of the sum. */
            cut: boolean;
            /** @description Absent for a round that was not played. */
            opponent?: components["schemas"]["StagePlayer"];
            /** Format: uint32 */
            round: number;
            tieBreak: components["schemas"]["TieBreakName"];
            /** Format: double */
            value: number;
        };
        /**
         * TieBreaks
         * @description In the order in which they decide.
         */
        TieBreaks: {
            /** Format: double */
            buchholz: number;
            /** Format: double */
            buchholzCut1: number;
            /** Format: double */
            headToHead: number;
            /** Format: double */
            sonnebornBerger: number;
            /** Format: double */
            wins: number;
        };
        /**
         * @description How much time the players have: as much as they like, 15 s a turn, or a minute each and 2 s more for each move.
         * @enum {string}
         */
        TimeControl: "none" | "turn15" | "1+2";
        /**
         * @description What an operator token may do.
         * @enum {string}
         */
        TokenScope: "read" | "events" | "accounts" | "all";
        /** TokensAnswer */
        TokensAnswer: {
            /** @description The one with which this was asked, if it was one. */
            currentTokenId?: string;
            succeeded: boolean;
            tokens: components["schemas"]["OperatorToken"][];
            /** @description Tokens that expire soon, or never. */
            warnings: string[];
        };
        /** TotpConfirmedAnswer */
        TotpConfirmedAnswer: {
            /** @description With the account's first factor; shown this once. */
            recoveryCodes?: string[];
            succeeded: boolean;
        };
        /**
         * TotpSetupAnswer
         * @description An authenticator app that is to be confirmed with its first code.
         */
        TotpSetupAnswer: {
            /** @description The same as a picture, a `data:` URL. */
            qrCode: string;
            /** @description In Base32, to type it in. */
            secret: string;
            succeeded: boolean;
            /** @description `otpauth://totp/…` */
            uri: string;
        };
        /** TournamentLoser */
        TournamentLoser: {
            isEliminated: boolean;
            /** Format: uuid */
            userId: string;
        };
        /** TournamentResult */
        TournamentResult: {
            loser: components["schemas"]["TournamentLoser"];
            winner: components["schemas"]["TournamentWinner"];
        };
        /** TournamentWinner */
        TournamentWinner: {
            /** Format: uuid */
            userId: string;
        };
        /** UnblockUser */
        UnblockUser: {
            /** Format: uuid */
            userId: string;
        };
        UnblockUserAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "unblock_user";
            payload: components["schemas"]["UnblockUser"];
        };
        /**
         * UndoEmailChange
         * @description Brings the email back that was there before, with the token of the letter to it.
         */
        UndoEmailChange: {
            token: string;
        };
        /**
         * UnreadableBackup
         * @description A backup whose manifest is damaged, or of a newer version.
         */
        UnreadableBackup: {
            backupId: string;
            reason: string;
        };
        /**
         * UnsubscribePush
         * @description One of the two names it. One that is gone already is no error.
         */
        UnsubscribePush: {
            endpoint?: string;
            /** Format: uuid */
            subscriptionId?: string;
        };
        UnsubscribePushAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "unsubscribe_push";
            payload: components["schemas"]["UnsubscribePush"];
        };
        /** UnwatchLive */
        UnwatchLive: Record<string, never>;
        /** UnwatchPresence */
        UnwatchPresence: {
            /** Format: uuid */
            eventId: string;
        };
        /** UpdateEvent */
        UpdateEvent: {
            /** Format: uint32 */
            accountAgeDays?: number;
            allowList?: string[];
            boardSize?: components["schemas"]["EventBoard"];
            /** @description Bots that have already entered stay in. */
            botsAllowed?: boolean;
            /**
             * Format: uint32
             * @description As in `create_event`; 0 means no check-in.
             */
            checkInMinutes?: number;
            /** @description Until the event starts, as everything here. */
            clock?: components["schemas"]["QuickMatchClock"];
            description?: string;
            doubleRounds?: boolean;
            /** Format: date-time */
            endTime?: string;
            /** Format: uuid */
            eventId: string;
            /** @description `published` publishes a draft; nothing else is set this way. */
            eventState?: components["schemas"]["EventState"];
            eventType?: components["schemas"]["EventType"];
            format?: components["schemas"]["EventFormat"];
            /** Format: uint32 */
            matchGames?: number;
            /** Format: uint32 */
            maxLosses?: number;
            /**
             * Format: uint32
             * @description 0: as many as the server allows.
             */
            maxPlayers?: number;
            /** Format: uint32 */
            maxRating?: number;
            /** Format: uint32 */
            minGames?: number;
            /**
             * Format: uint32
             * @description Who may enter, as of `create_event`; 0 asks for nothing, and so does an empty list. Who is in stays in.
             */
            minRating?: number;
            prize?: string;
            /** @description As of `create_event`, as all that follow. */
            ratedOnOneNetwork?: boolean;
            /** @description As in `create_event`; an empty list means no fixed times. */
            roundTimes?: string[];
            /**
             * Format: uint32
             * @description 0: by the number of players.
             */
            rounds?: number;
            /** Format: date-time */
            startTime?: string;
            thirdPlace?: boolean;
            title?: string;
        };
        UpdateEventAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "update_event";
            payload: components["schemas"]["UpdateEvent"];
        };
        /**
         * UpdateNotificationSettings
         * @description What is left out stays.
         */
        UpdateNotificationSettings: {
            mail?: components["schemas"]["MailSettings"];
            push?: components["schemas"]["PushSettings"];
        };
        UpdateNotificationSettingsAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "update_notification_settings";
            payload: components["schemas"]["UpdateNotificationSettings"];
        };
        /**
         * UpdatePassword
         * @description The last step of recovery, after a validated code from the same browser.
         */
        UpdatePassword: {
            email: string;
            newPassword: string;
            /**
             * @description Open an account that nobody has confirmed this email for; without it that is answered with 409
             *     `unconfirmed-account`. What its maker left to sign in with ends.
             */
            openUnconfirmed?: boolean;
        };
        /** UpdatePlayer */
        UpdatePlayer: {
            /** Format: uuid */
            eventId?: string;
            /** @description Why; it stands in the receipt. */
            reason?: string;
            updates: components["schemas"]["PlayerUpdates"];
            /** Format: uuid */
            userId: string;
        };
        UpdatePlayerAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "update_player";
            payload: components["schemas"]["UpdatePlayer"];
        };
        /**
         * UpdateSeries
         * @description Changes a series that was not ended. Events that were made stay as they are.
         */
        UpdateSeries: {
            /** Format: uint32 */
            daysAhead?: number;
            description?: string;
            /** Format: uint32 */
            durationMinutes?: number;
            firstStart?: string;
            name?: string;
            points?: number[];
            rule?: string;
            /** Format: uuid */
            seriesId: string;
            /** @description Replaces the one before. */
            template?: components["schemas"]["CreateEvent"];
            timeZone?: string;
        };
        UpdateSeriesAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "update_series";
            payload: components["schemas"]["UpdateSeries"];
        };
        /** UpdateUserProfile */
        UpdateUserProfile: {
            displayName?: string;
            firstName?: string;
            lastName?: string;
            /** @description Who sees the player's page. */
            profileVisibility?: components["schemas"]["ProfileVisibility"];
            /** Format: uuid */
            userId: string;
            username?: string;
        };
        UpdateUserProfileAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "update_user_profile";
            payload: components["schemas"]["UpdateUserProfile"];
        };
        /** UseLinkForPasskey */
        UseLinkForPasskey: {
            /** @description `PublicKeyCredential.toJSON()` of a new credential. */
            credential: unknown;
            /** @description What its owner calls the passkey, 1 to 40 characters. */
            name: string;
            token: string;
        };
        /** UsePasswordLink */
        UsePasswordLink: {
            newPassword: string;
            token: string;
        };
        /**
         * User
         * @description A person as they see themselves.
         */
        User: {
            /** @description What makes them an admin, for a while; absent for who was promoted, and for others. */
            adminClaim?: components["schemas"]["AdminClaim"];
            /** Format: date-time */
            createdAt: string;
            displayName: string;
            /** @description Empty for a guest. */
            email: string;
            emailVerified: boolean;
            firstName: string;
            /** @description It can be a proof before sensitive acts. */
            hasPassword: boolean;
            isAdmin: boolean;
            /** @description True for a bot, an account on which a program plays, for good; absent for people. */
            isBot?: boolean;
            isProUser: boolean;
            isTempUser: boolean;
            lastName: string;
            /**
             * Format: date-time
             * @description When they were last here; for admins.
             */
            lastSeenAt?: string;
            /** @description An admin lets them host private events without a verified email; absent otherwise. */
            mayHost?: boolean;
            /** @description Address of the avatar at 256 pixels; empty without one. */
            profile: string;
            /** @description The same, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /** @description Who sees the player's page. */
            profileVisibility: components["schemas"]["ProfileVisibility"];
            /** @description In lists for admins; absent for guests. */
            rating?: components["schemas"]["PlayerRating"];
            /** @description Signing in asks for a second factor. */
            secondFactor: boolean;
            /** @description The one in force, for admins. */
            suspension?: components["schemas"]["Suspension"];
            /** Format: uuid */
            userId: string;
            username: string;
            /**
             * Format: date-time
             * @description When the username may be changed again; absent if it may be now.
             */
            usernameChangeableAt?: string;
        };
        /** UserAnswer */
        UserAnswer: {
            succeeded: boolean;
            user: components["schemas"]["ShownUser"];
        };
        /**
         * UserProfile
         * @description A person as others see them: never the email.
         */
        UserProfile: {
            /** @description Whether the caller blocks them, where one person is asked for. */
            blockedByMe?: boolean;
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            isProUser: boolean;
            isTempUser: boolean;
            /** @description Address of the picture at 256 pixels; empty without one. */
            profile: string;
            /** @description The same, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /** UserSessionsAnswer */
        UserSessionsAnswer: {
            sessions: components["schemas"]["Session"][];
            succeeded: boolean;
        };
        /** UserSubscription */
        UserSubscription: {
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            isProUser: boolean;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /** @description The provider's name for it. */
            providerId?: string;
            /** @description Of a grant. */
            reason?: string;
            /** @description As the payment provider calls it, for example `active` or `past_due`; absent without a subscription. */
            status?: string;
            subscription: components["schemas"]["Subscription"];
            /** Format: uuid */
            userId: string;
            username: string;
        };
        /** UserSubscriptionsAnswer */
        UserSubscriptionsAnswer: {
            pagination: components["schemas"]["Pagination"];
            subscriptions: components["schemas"]["UserSubscription"][];
            succeeded: boolean;
        };
        /** UserTokensAnswer */
        UserTokensAnswer: {
            succeeded: boolean;
            /** @description The newest first. */
            tokens: components["schemas"]["PersonalToken"][];
        };
        /** UsersAnswer */
        UsersAnswer: {
            succeeded: boolean;
            /** @description The one, where one is asked for. */
            user?: components["schemas"]["UserProfile"];
            users: components["schemas"]["UserProfile"][];
        };
        /** UsersListAnswer */
        UsersListAnswer: {
            pagination: components["schemas"]["Pagination"];
            succeeded: boolean;
            users: components["schemas"]["User"][];
        };
        /** ValidateVerificationCode */
        ValidateVerificationCode: {
            /**
             * Format: uint32
             * @description 100000 to 999999.
             */
            code: number;
            email: string;
        };
        /**
         * VerifyAudit
         * @description Checks the hash chain of the audit trail.
         */
        VerifyAudit: Record<string, never>;
        /** VerifyAuditAnswer */
        VerifyAuditAnswer: {
            /**
             * Format: uint64
             * @description The number of the first entry that is not as it was written; absent if the trail is in order.
             */
            brokenAt?: number;
            /**
             * Format: uint64
             * @description Entries in order, from the first.
             */
            entries: number;
            /**
             * Format: date-time
             * @description When the first and the last of them were written.
             */
            from?: string;
            /** @description The hash of the last of them; empty without entries. */
            head: string;
            /** @description How it differs, in words. */
            problem?: string;
            succeeded: boolean;
            /** Format: date-time */
            until?: string;
        };
        /**
         * VerifyBackup
         * @description Begins to restore a backup into a temporary folder and to check it there; `backup.verification` of the overview
         *     tells of it. One at a time.
         */
        VerifyBackup: {
            /** @description An id, or `latest`. */
            backupId: string;
        };
        VerifyBackupAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "verify_backup";
            payload: components["schemas"]["VerifyBackup"];
        };
        /** VerifyEmail */
        VerifyEmail: {
            /**
             * Format: uint32
             * @description 100000 to 999999.
             */
            code: number;
        };
        /**
         * VerifyEmailChange
         * @description Takes the email that the code was mailed to.
         */
        VerifyEmailChange: {
            /**
             * Format: uint32
             * @description 100000 to 999999.
             */
            code: number;
        };
        /**
         * VerifyEvent
         * @description Recomputes standings and winners from the stored games and the admins' corrections.
         */
        VerifyEvent: {
            /** Format: uuid */
            eventId: string;
        };
        /** VerifyEventAnswer */
        VerifyEventAnswer: {
            /** @description What directors did in an event that is no arena, the first first. */
            acts: components["schemas"]["DirectorAct"][];
            /** @description Stored standings and winners agree with what the games and the corrections say. */
            agrees: boolean;
            /** @description What admins corrected, the first first. */
            corrections: components["schemas"]["Correction"][];
            /** @description What differs, in words. */
            differences: string[];
            /** Format: uint64 */
            games: number;
            /** Format: uint64 */
            players: number;
            succeeded: boolean;
            /** @description Who said that players on one network are different people; absent if nobody did. */
            vouched?: components["schemas"]["Vouch"];
        };
        /**
         * VerifyRatings
         * @description Computes all ratings again from the stored games.
         */
        VerifyRatings: Record<string, never>;
        /** VerifyRatingsAnswer */
        VerifyRatingsAnswer: {
            /** @description The stored ratings and receipts agree with what the games say. */
            agrees: boolean;
            /** @description What differs, in words; the first hundred. */
            differences: string[];
            /**
             * Format: uint64
             * @description Rated games.
             */
            games: number;
            /**
             * Format: uint64
             * @description Users who have played one.
             */
            players: number;
            succeeded: boolean;
        };
        /** Vouch */
        Vouch: {
            /** Format: date-time */
            at: string;
            /** @description A username, or the name of an operator token. */
            by: string;
        };
        /**
         * WatchLive
         * @description Follows the games that everybody signed in may watch, the best rated first.
         */
        WatchLive: {
            /**
             * Format: uint32
             * @description How many; the server rounds up to 2 or 12. 12 if absent.
             */
            limit?: number;
        };
        /**
         * WatchPresence
         * @description Follows who of an event's players is there: for those who direct it.
         */
        WatchPresence: {
            /** Format: uuid */
            eventId: string;
        };
        /**
         * WatchersChanged
         * @description How many people watch a game: players and operator tokens are not counted, and nobody twice.
         */
        WatchersChanged: {
            /** Format: uuid */
            gameId: string;
            /** Format: uint32 */
            watchers: number;
        };
        /** Webhook */
        Webhook: {
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When a message was last delivered.
             */
            deliveredAt?: string;
            /** @description Why it is disabled; absent if it is not. */
            disabledReason?: string;
            /**
             * Format: date-time
             * @description Since when deliveries have been failing; absent while they succeed.
             */
            failingSince?: string;
            kinds: components["schemas"]["WebhookKind"][];
            url: string;
            /**
             * Format: uint32
             * @description Deliveries waiting to be sent, or sent again.
             */
            waiting: number;
            /** Format: uuid */
            webhookId: string;
        };
        /**
         * WebhookBackupData
         * @description The `data` of what webhooks are told of backups that fail.
         */
        WebhookBackupData: {
            /** Format: date-time */
            failingSince: string;
        };
        /**
         * WebhookConclusionData
         * @description The `data` of what webhooks are told of an event whose winners are final.
         */
        WebhookConclusionData: {
            /** Format: date-time */
            endTime?: string;
            /** Format: uuid */
            eventId: string;
            /** Format: date-time */
            startTime?: string;
            title: string;
            /** @description The best first. */
            winners: components["schemas"]["WebhookWinner"][];
        };
        /** WebhookDeliveriesAnswer */
        WebhookDeliveriesAnswer: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["Pagination"];
            succeeded: boolean;
        };
        /** WebhookDelivery */
        WebhookDelivery: {
            /** @description The beginning of the last answer, if it was a refusal. */
            answer?: string;
            /**
             * Format: uint32
             * @description Attempts since it was made, or sent again by hand.
             */
            attempts: number;
            /** @description Why the last attempt failed. */
            failure?: string;
            /** Format: date-time */
            happenedAt: string;
            /** @description One of the webhook's kinds, or `webhook.test`. */
            kind: string;
            /** Format: date-time */
            lastAt?: string;
            /**
             * Format: uuid
             * @description The same for every attempt; `webhook-id` is `msg_` followed by this without hyphens.
             */
            messageId: string;
            /**
             * Format: date-time
             * @description When it is tried next; absent unless it is waiting.
             */
            nextAt?: string;
            /** @description The body of the message. */
            payload: string;
            state: components["schemas"]["DeliveryState"];
            /**
             * Format: uint16
             * @description The status of the last answer.
             */
            status?: number;
        };
        /** WebhookDeliveryAnswer */
        WebhookDeliveryAnswer: {
            delivery: components["schemas"]["WebhookDelivery"];
            succeeded: boolean;
        };
        /**
         * WebhookEventData
         * @description The `data` of what webhooks are told of an event.
         */
        WebhookEventData: {
            /** Format: date-time */
            endTime?: string;
            /** Format: uuid */
            eventId: string;
            /** Format: date-time */
            startTime?: string;
            title: string;
        };
        /**
         * @description The kinds of messages.
         * @enum {string}
         */
        WebhookKind: "event.published" | "event.started" | "event.concluded" | "report.opened" | "backup.failed";
        /**
         * WebhookReportData
         * @description The `data` of what webhooks are told of a report: ids only.
         */
        WebhookReportData: {
            /** Format: uuid */
            gameId?: string;
            /** Format: uuid */
            reportId: string;
            /**
             * Format: uuid
             * @description Who is reported.
             */
            subjectId: string;
        };
        /**
         * WebhookTestData
         * @description The `data` of a test.
         */
        WebhookTestData: Record<string, never>;
        /** WebhookWinner */
        WebhookWinner: {
            /** Format: uint32 */
            level: number;
            /** Format: uuid */
            userId: string;
            username: string;
            /** Format: uint32 */
            wins: number;
        };
        /** WebhooksAnswer */
        WebhooksAnswer: {
            /** @description False if this server sends nothing: in a drill, or because of its configuration. */
            isSending: boolean;
            /**
             * Format: uint32
             * @description The maximum number of webhooks.
             */
            most: number;
            succeeded: boolean;
            /** @description The newest first. */
            webhooks: components["schemas"]["Webhook"][];
        };
        /** Winner */
        Winner: {
            displayName: string;
            /** @description True for a bot, absent for people. */
            isBot?: boolean;
            /** Format: uint32 */
            level: number;
            /** @description Where the picture is, 64 pixels wide; absent without one. */
            profileUrl?: string;
            /** Format: uuid */
            userId: string;
            username: string;
            /** Format: uint32 */
            wins: number;
        };
        /**
         * WithdrawInvitation
         * @description Takes an invitation back. Whoever has entered stays in.
         */
        WithdrawInvitation: {
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            userId: string;
        };
        WithdrawInvitationAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "withdraw_invitation";
            payload: components["schemas"]["WithdrawInvitation"];
        };
        /**
         * WithdrawPlayer
         * @description Takes a player out of an event that is no arena, from the match under way on, which the opponent wins. What was
         *     played stays. They are told why.
         */
        WithdrawPlayer: {
            /** Format: uuid */
            eventId: string;
            reason: string;
            /** Format: uuid */
            userId: string;
        };
        WithdrawPlayerAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "withdraw_player";
            payload: components["schemas"]["WithdrawPlayer"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getCalendarAuthUrl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["CalendarAuthUrlAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getCalendarStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["CalendarStatusAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    requestVerificationCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["RequestVerificationCode"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["RequestVerificationCodeAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    updatePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["UpdatePassword"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    validateVerificationCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["ValidateVerificationCode"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    calendarCallback: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browser goes on at `Location`. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    disconnectCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Empty"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    checkLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["CheckLoginAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    requestEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["RequestEmailChange"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    undoEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["UndoEmailChange"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    verifyEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["VerifyEmailChange"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["EmailChangedAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    requestEmailCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["RequestEmailCode"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["VerifyEmail"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    playAsGuest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Empty"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Empty"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    oidcCallback: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
                iss?: string;
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browser goes on at `Location`. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    startOidc: {
        parameters: {
            query?: {
                keepGuestGames?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browser goes on at `Location`. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    oidcCallbackFrom: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
                iss?: string;
                error?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browser goes on at `Location`. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    startOidcWith: {
        parameters: {
            query?: {
                keepGuestGames?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browser goes on at `Location`. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    loginWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["PasskeyLogin"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Empty"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PasskeyOptionsAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Empty"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PasskeyOptionsAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    finishPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["FinishPasskey"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PasskeyAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["RemovePasskey"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["RenamePasskey"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    checkPasswordLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["CheckPasswordLink"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PasswordLinkOwnerAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    beginPasskeyByLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["CheckPasswordLink"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PasskeyOptionsAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    useLinkForPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["UseLinkForPasskey"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PasskeyAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    usePasswordLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["UsePasswordLink"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    prove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Proof"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getProofOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Empty"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ProofOptionsAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ProvidersAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["RegisterRequest"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SecondFactorAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getSecondFactorOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Empty"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ProofOptionsAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Empty"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["RecoveryCodesAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    beginTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Empty"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["TotpSetupAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["ConfirmTotp"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["TotpConfirmedAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    removeTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Empty"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    verifySecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Proof"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Empty"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SessionsAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["RevokeSession"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    revokeAllSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["RevokeAllSessions"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["RevokeAllSessionsAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getSetup: {
        parameters: {
            query?: {
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SetupAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["SetupRequest"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    listPersonalTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PersonalTokensAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    createPersonalToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["CreatePersonalToken"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PersonalTokenAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    deletePersonalToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["DeletePersonalToken"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    exportAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": unknown;
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    readAdmin: {
        parameters: {
            query: {
                action: "overview" | "history" | "list_users" | "list_admins" | "list_sessions" | "list_personal_tokens" | "list_audit" | "verify_audit" | "verify_ratings" | "export_audit" | "list_subscriptions" | "list_billing_events" | "list_live_games" | "quick_match_queue" | "list_tokens" | "list_backups" | "cluster" | "list_webhooks" | "list_deliveries" | "find_ids" | "list_suspended" | "list_reports" | "list_engine_scores" | "get_engine_evidence";
                /** @description The action's payload as JSON text; `x-actions` says which schema is whose. */
                payload?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["AuditAnswer"] | components["schemas"]["BackupsAnswer"] | components["schemas"]["BillingEventsAnswer"] | components["schemas"]["ClusterAnswer"] | components["schemas"]["EngineEvidenceAnswer"] | components["schemas"]["EngineScoresAnswer"] | components["schemas"]["ExportAuditAnswer"] | components["schemas"]["FoundIdsAnswer"] | components["schemas"]["HistoryAnswer"] | components["schemas"]["LiveGamesAnswer"] | components["schemas"]["OverviewAnswer"] | components["schemas"]["QuickMatchQueueAnswer"] | components["schemas"]["ReportsAnswer"] | components["schemas"]["TokensAnswer"] | components["schemas"]["UserSessionsAnswer"] | components["schemas"]["UserSubscriptionsAnswer"] | components["schemas"]["UserTokensAnswer"] | components["schemas"]["UsersListAnswer"] | components["schemas"]["VerifyAuditAnswer"] | components["schemas"]["VerifyRatingsAnswer"] | components["schemas"]["WebhookDeliveriesAnswer"] | components["schemas"]["WebhooksAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    writeAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["RevokeSessionActionAction"] | components["schemas"]["DeletePersonalTokensOfAction"] | components["schemas"]["SetAdminAction"] | components["schemas"]["GrantProAction"] | components["schemas"]["RevokeProAction"] | components["schemas"]["AdjudicateGameAction"] | components["schemas"]["CreateAdminAction"] | components["schemas"]["PromoteUserAction"] | components["schemas"]["DemoteUserAction"] | components["schemas"]["ResetPasswordAction"] | components["schemas"]["RemoveSecondFactorAction"] | components["schemas"]["CreatePasswordLinkAction"] | components["schemas"]["ChangeEmailAction"] | components["schemas"]["CreateTokenAction"] | components["schemas"]["RevokeTokenAction"] | components["schemas"]["CreateBackupAction"] | components["schemas"]["VerifyBackupAction"] | components["schemas"]["CreateWebhookAction"] | components["schemas"]["DeleteWebhookAction"] | components["schemas"]["ResendDeliveryAction"] | components["schemas"]["TestWebhookAction"] | components["schemas"]["SuspendUserAction"] | components["schemas"]["LiftSuspensionAction"] | components["schemas"]["RenameUserAction"] | components["schemas"]["RemovePictureAction"] | components["schemas"]["AllowHostingAction"] | components["schemas"]["DeleteUserAction"] | components["schemas"]["CloseReportAction"];
            };
        };
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"] | components["schemas"]["AdminUserAnswer"] | components["schemas"]["CreateTokenAnswer"] | components["schemas"]["CreateWebhookAnswer"] | components["schemas"]["DeletedTokensAnswer"] | components["schemas"]["GameAnswer"] | components["schemas"]["PasswordLinkAnswer"] | components["schemas"]["ReportAnswer"] | components["schemas"]["WebhookDeliveryAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    listPaymentMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PaymentMethodsAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    removePaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["RemovePaymentMethod"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    searchUsers: {
        parameters: {
            query?: {
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["UsersAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getUserSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SubscriptionAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    cancelUserSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["CancelSubscription"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["DeleteAccount"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    readEvent: {
        parameters: {
            query: {
                action: "get_event_by_id" | "list_events" | "verify_event" | "get_rounds" | "get_standings" | "get_hosting" | "list_invitations";
                /** @description The action's payload as JSON text; `x-actions` says which schema is whose. */
                payload?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["EventAnswer"] | components["schemas"]["EventsAnswer"] | components["schemas"]["HostingAnswer"] | components["schemas"]["InvitationsAnswer"] | components["schemas"]["RoundsAnswer"] | components["schemas"]["StandingsAnswer"] | components["schemas"]["VerifyEventAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    writeEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["CreateEventAction"] | components["schemas"]["UpdateEventAction"] | components["schemas"]["DeleteEventAction"] | components["schemas"]["JoinEventAction"] | components["schemas"]["StartEventAction"] | components["schemas"]["EndEventAction"] | components["schemas"]["CancelEventAction"] | components["schemas"]["ReopenEventAction"] | components["schemas"]["ConcludeEventAction"] | components["schemas"]["DuplicateEventAction"] | components["schemas"]["AnnounceAction"] | components["schemas"]["RemoveParticipantAction"] | components["schemas"]["SetResultAction"] | components["schemas"]["WithdrawPlayerAction"] | components["schemas"]["DisqualifyPlayerAction"] | components["schemas"]["ReinstatePlayerAction"] | components["schemas"]["CheckInPlayerAction"] | components["schemas"]["StartRoundAction"] | components["schemas"]["ReplayMatchAction"] | components["schemas"]["ExtendEventAction"] | components["schemas"]["PauseEventAction"] | components["schemas"]["ResumeEventAction"] | components["schemas"]["RenewJoinCodeAction"] | components["schemas"]["InvitePlayerAction"] | components["schemas"]["WithdrawInvitationAction"];
            };
        };
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"] | components["schemas"]["EventAnswer"] | components["schemas"]["JoinEventAnswer"] | components["schemas"]["PlayerAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    readEventSignUp: {
        parameters: {
            query: {
                action: "list_signups_for_event" | "list_signups_for_user" | "get_user_sign_up_status" | "get_signup_by_event_and_user" | "check_entry" | "list_own_invitations";
                /** @description The action's payload as JSON text; `x-actions` says which schema is whose. */
                payload?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["EntryAnswer"] | components["schemas"]["OwnInvitationsAnswer"] | components["schemas"]["SignUpStatusAnswer"] | components["schemas"]["SignupAnswer"] | components["schemas"]["SignupsAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    writeEventSignUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["SignUpAction"] | components["schemas"]["SignUpByCodeAction"] | components["schemas"]["CheckInAction"] | components["schemas"]["RemoveSignupAction"] | components["schemas"]["AnswerInvitationAction"];
            };
        };
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"] | components["schemas"]["AnswerInvitationAnswer"] | components["schemas"]["SignupAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getSeriesCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                series_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description For one's calendar. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar; charset=utf-8": string;
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getEventCalendar: {
        parameters: {
            query?: {
                token?: string;
            };
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description For one's calendar. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar; charset=utf-8": string;
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getEventResultsFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table, with a row of headings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getEventStandingsFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table, with a row of headings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getEventSwissFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tournament as TRF16. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    readGame: {
        parameters: {
            query: {
                action: "get_game" | "get_games_by_event" | "get_games_by_user" | "spectatable_games" | "live_games" | "get_replay";
                /** @description The action's payload as JSON text; `x-actions` says which schema is whose. */
                payload?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["GameAnswer"] | components["schemas"]["GamesAnswer"] | components["schemas"]["LiveNowAnswer"] | components["schemas"]["ReplayAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    writeGame: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["CreateGameAction"] | components["schemas"]["MakeMoveActionAction"] | components["schemas"]["EndGameAction"] | components["schemas"]["CancelGameActionAction"] | components["schemas"]["ClaimSeatAction"] | components["schemas"]["PlayAgainAction"] | components["schemas"]["ClaimWinAction"] | components["schemas"]["ShareGameAction"];
            };
        };
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["CreateGameAnswer"] | components["schemas"]["GameAnswer"] | components["schemas"]["MakeMoveAnswer"] | components["schemas"]["ShareGameAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    exportGames: {
        parameters: {
            query?: {
                /** @description The games of this event instead of the caller's own. */
                eventId?: string;
                /** @description `ndjson` if absent. */
                format?: components["schemas"]["ExportFormat"];
                /** @description Only games created from then on. */
                since?: string;
                /** @description Only games created before then. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The games, newest first: a `Replay` as JSON on each line, or text with tags. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/plain; charset=utf-8": string;
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    readLogger: {
        parameters: {
            query: {
                action: "getLogs" | "getLogsByLevel" | "getLogsByPlatform" | "getLogsByUser" | "searchLogs" | "getLogStats" | "exportLogs";
                /** @description The action's payload as JSON text; `x-actions` says which schema is whose. */
                payload?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ExportLogsAnswer"] | components["schemas"]["LogStatsAnswer"] | components["schemas"]["LogsAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    writeLogger: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["ClientLogAction"] | components["schemas"]["BulkLogAction"] | components["schemas"]["ClearLogsAction"];
            };
        };
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"] | components["schemas"]["ClearLogsAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    readPlayer: {
        parameters: {
            query: {
                action: "get_player" | "getPlayersByEvent" | "check_player_for_event" | "get_leaderboard" | "get_rating_list" | "list_bots" | "get_profile" | "get_history" | "get_head_to_head" | "list_opponents";
                /** @description The action's payload as JSON text; `x-actions` says which schema is whose. */
                payload?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["BotsAnswer"] | components["schemas"]["CheckPlayerAnswer"] | components["schemas"]["HeadToHeadAnswer"] | components["schemas"]["OpponentsAnswer"] | components["schemas"]["PlayedGamesAnswer"] | components["schemas"]["PlayerAnswer"] | components["schemas"]["PlayersAnswer"] | components["schemas"]["ProfileAnswer"] | components["schemas"]["RatingListAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    writePlayer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["CreatePlayerAction"] | components["schemas"]["ImportPlayersAction"] | components["schemas"]["UpdatePlayerAction"] | components["schemas"]["SetEventAction"] | components["schemas"]["ClearEventAction"] | components["schemas"]["RecordResultAction"] | components["schemas"]["JoinEventRoomActionAction"] | components["schemas"]["LeaveEventRoomActionAction"];
            };
        };
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"] | components["schemas"]["ImportPlayersAnswer"] | components["schemas"]["JoinEventRoomAnswer"] | components["schemas"]["PlayerAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    uploadProfileImage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A png, gif or jpeg of at most 5 MiB.
                     */
                    file: string;
                    /** Format: uuid */
                    userId?: string;
                };
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ProfileImageAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getProfileImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
                size: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture, as wide as high. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    removeProfileImage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Empty"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["ProfileUpdate"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["OwnUserAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    readSeries: {
        parameters: {
            query: {
                action: "list_series" | "get_series" | "get_series_table" | "preview_series";
                /** @description The action's payload as JSON text; `x-actions` says which schema is whose. */
                payload?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SeriesDatesAnswer"] | components["schemas"]["SeriesListAnswer"] | components["schemas"]["SeriesPageAnswer"] | components["schemas"]["SeriesTableAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    writeSeries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["CreateSeriesAction"] | components["schemas"]["UpdateSeriesAction"] | components["schemas"]["EndSeriesAction"] | components["schemas"]["DeleteSeriesAction"];
            };
        };
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"] | components["schemas"]["SeriesAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    getSite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SiteAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    stripeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description An event, signed in the header `Stripe-Signature`. */
        requestBody: {
            content: {
                "application/json; charset=utf-8": unknown;
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    readSubscription: {
        parameters: {
            query: {
                action: "get_subscription" | "get_stripekey" | "get_plans" | "list_invoices";
                /** @description The action's payload as JSON text; `x-actions` says which schema is whose. */
                payload?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["InvoicesAnswer"] | components["schemas"]["PlansAnswer"] | components["schemas"]["StripeKeyAnswer"] | components["schemas"]["SubscriptionAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    writeSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["SubscribeAction"] | components["schemas"]["CreateSubscriptionItemAction"] | components["schemas"]["CancelSubscriptionAction"] | components["schemas"]["ResumeSubscriptionAction"] | components["schemas"]["ChangePlanAction"] | components["schemas"]["FinishPlanChangeAction"] | components["schemas"]["CreateSetupIntentAction"] | components["schemas"]["AddPaymentMethodAction"] | components["schemas"]["SetDefaultPaymentMethodAction"];
            };
        };
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"] | components["schemas"]["CreateSubscriptionItemAnswer"] | components["schemas"]["PaymentMethodsAnswer"] | components["schemas"]["SetupIntentAnswer"] | components["schemas"]["SubscriptionAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    readUserProfile: {
        parameters: {
            query: {
                action: "get_user_by_id" | "find_user" | "search_user" | "search_user_profile" | "list_blocked" | "get_notification_settings";
                /** @description The action's payload as JSON text; `x-actions` says which schema is whose. */
                payload?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["BlockedAnswer"] | components["schemas"]["NotificationSettingsAnswer"] | components["schemas"]["UserAnswer"] | components["schemas"]["UsersAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    writeUserProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["CreateProfileAction"] | components["schemas"]["UpdateUserProfileAction"] | components["schemas"]["DeleteUserProfileAction"] | components["schemas"]["AssignRandomDisplayNameAction"] | components["schemas"]["BecomeBotAction"] | components["schemas"]["ReportUserAction"] | components["schemas"]["BlockUserAction"] | components["schemas"]["UnblockUserAction"] | components["schemas"]["UpdateNotificationSettingsAction"] | components["schemas"]["SubscribePushAction"] | components["schemas"]["UnsubscribePushAction"] | components["schemas"]["ShowPushExampleAction"];
            };
        };
        responses: {
            /** @description The action's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"] | components["schemas"]["DisplayNameAnswer"] | components["schemas"]["NotificationSettingsAnswer"] | components["schemas"]["OwnUserAnswer"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    logData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["ClientLog"];
            };
        };
        responses: {
            /** @description It succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Acknowledgement"];
                };
            };
            /** @description The call failed; the status says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Failure"];
                };
            };
        };
    };
    told_backup_failed: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt and every receiver. */
                "webhook-id": string;
                /** @description The time of this attempt in Unix seconds. */
                "webhook-timestamp": string;
                /** @description HMAC-SHA-256 in Base64 of id, timestamp and body with dots between them, by the secret of the webhook. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    data: components["schemas"]["WebhookBackupData"];
                    /** Format: date-time */
                    timestamp: string;
                    /** @enum {string} */
                    type: "backup.failed";
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if it comes within 10 seconds. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    told_event_concluded: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt and every receiver. */
                "webhook-id": string;
                /** @description The time of this attempt in Unix seconds. */
                "webhook-timestamp": string;
                /** @description HMAC-SHA-256 in Base64 of id, timestamp and body with dots between them, by the secret of the webhook. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    data: components["schemas"]["WebhookConclusionData"];
                    /** Format: date-time */
                    timestamp: string;
                    /** @enum {string} */
                    type: "event.concluded";
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if it comes within 10 seconds. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    told_event_published: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt and every receiver. */
                "webhook-id": string;
                /** @description The time of this attempt in Unix seconds. */
                "webhook-timestamp": string;
                /** @description HMAC-SHA-256 in Base64 of id, timestamp and body with dots between them, by the secret of the webhook. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    data: components["schemas"]["WebhookEventData"];
                    /** Format: date-time */
                    timestamp: string;
                    /** @enum {string} */
                    type: "event.published";
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if it comes within 10 seconds. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    told_event_started: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt and every receiver. */
                "webhook-id": string;
                /** @description The time of this attempt in Unix seconds. */
                "webhook-timestamp": string;
                /** @description HMAC-SHA-256 in Base64 of id, timestamp and body with dots between them, by the secret of the webhook. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    data: components["schemas"]["WebhookEventData"];
                    /** Format: date-time */
                    timestamp: string;
                    /** @enum {string} */
                    type: "event.started";
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if it comes within 10 seconds. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    told_report_opened: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt and every receiver. */
                "webhook-id": string;
                /** @description The time of this attempt in Unix seconds. */
                "webhook-timestamp": string;
                /** @description HMAC-SHA-256 in Base64 of id, timestamp and body with dots between them, by the secret of the webhook. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    data: components["schemas"]["WebhookReportData"];
                    /** Format: date-time */
                    timestamp: string;
                    /** @enum {string} */
                    type: "report.opened";
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if it comes within 10 seconds. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    told_webhook_test: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt and every receiver. */
                "webhook-id": string;
                /** @description The time of this attempt in Unix seconds. */
                "webhook-timestamp": string;
                /** @description HMAC-SHA-256 in Base64 of id, timestamp and body with dots between them, by the secret of the webhook. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    data: components["schemas"]["WebhookTestData"];
                    /** Format: date-time */
                    timestamp: string;
                    /** @enum {string} */
                    type: "webhook.test";
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if it comes within 10 seconds. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
