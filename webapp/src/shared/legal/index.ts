export { CookiesText } from './CookiesText';
export { PrivacyText } from './PrivacyText';
export { TermsText } from './TermsText';
