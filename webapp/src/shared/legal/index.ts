export { CookiesText } from './CookiesText';
export { PrivacyText } from './PrivacyText';
export { TermsText } from './TermsText';
export { LAST_LEGAL_UPDATE, LEGAL_UPDATED } from './updated';
