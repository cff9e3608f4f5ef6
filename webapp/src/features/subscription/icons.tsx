import { Icon } from '@/shared/ui/Icon';

export const CheckIcon = () => (
  <Icon>
    <path d="M4.3 12.6c1.9 1.8 3.6 3.7 5.2 5.7C12.3 13.4 15.6 9 19.8 5.3" />
  </Icon>
);
