export const SERIES_LIST_PATH = '/app/series';
export const seriesPath = (seriesId: string) => `${SERIES_LIST_PATH}/${seriesId}`;

export const ADMIN_SERIES_PATH = '/app/admin/series';
export const seriesDeskPath = (seriesId: string) => `${ADMIN_SERIES_PATH}/${seriesId}`;

/** The address of a series' calendar, from which calendar programs fetch it again and again. */
export const calendarAddress = (seriesId: string) =>
  `${window.location.origin}/api/backend/events/series/${seriesId}/calendar.ics`;
