/** The parameters of the media types of aggregated discovery (KEP-3352). */
export const aggregatedParameters = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
