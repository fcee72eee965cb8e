// Made with openssl for these tests; the keys are thrown away.

/** A PKCS#10 request in PEM in base64, as certificates.k8s.io takes it. */
export const signingRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHaE1GVUNBUUF3SWpFTk1Bc0dBMVVFQXd3RVpHOXlZVEVSTUE4R0ExVUVDZ3dJWTJGd2RHRnBibk13S2pBRgpCZ01yWlhBRElRQ3U0U0MwdEpkVWVCSXQyQTl2MWloTDJrTFRDMXVJRHFPVkVRVHFqcTFHWGFBQU1BVUdBeXRsCmNBTkJBREc2bUFtWFdxTmIzdFVwZUNqTzdUUXJ4WkVWeklXMXJBYUpBZW9SNEViZHlVY1ZkL0RkRmFOcmREZS8KdlEwRVMySFRGMDlYMk5LcmhuQ09OZU9mbHdJPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';

/** A PKCS#10 request without a subject, in DER in base64. */
export const stubRequest =
  'MH8wMwIBADAAMCowBQYDK2VwAyEAruEgtLSXVHgSLdgPb9YoS9pC0wtbiA6jlREE6o6tRl2gADAFBgMrZXADQQDRvHuH3GB9z1ze9Pm2G3QrLrMdHsv3kLZ5PG+aVdozwYauL3hjgEZfKhVLjSJX7w7tmFRn3M5wf/7vtsfrhVUN';

/** The public key of the same pair, and its signature over `pod-uid`. */
export const publicKey = 'MCowBQYDK2VwAyEAruEgtLSXVHgSLdgPb9YoS9pC0wtbiA6jlREE6o6tRl0=';
export const proofOverPodUid =
  'uMXwf5EjE75YMu/zCEn+KhGluhXgyhIH7hmp6N1PNmlX900VLnoN6rhBjNBKQYrq4DqrbrokCGuRJgjUY6qfBw==';

/** A certificate authority of its own. */
export const authority = `-----BEGIN CERTIFICATE-----
MIIBTDCB/6ADAgECAhRzpjHduX1YnIFBvi0AbLRrA2hNTTAFBgMrZXAwGzEZMBcG
A1UEAwwQaGFyYm9yIGF1dGhvcml0eTAgFw0yNjExMjEwODEzMzFaGA8yMTI2MTAy
ODA4MTMzMVowGzEZMBcGA1UEAwwQaGFyYm9yIGF1dGhvcml0eTAqMAUGAytlcAMh
AK7hILS0l1R4Ei3YD2/WKEvaQtMLW4gOo5URBOqOrUZdo1MwUTAdBgNVHQ4EFgQU
9QebCj9WD9ALXjC7peS456JqDIkwHwYDVR0jBBgwFoAU9QebCj9WD9ALXjC7peS4
56JqDIkwDwYDVR0TAQH/BAUwAwEB/zAFBgMrZXADQQDWwssnha9oNf++o0e68ilC
uX9i0m8sCCQE1udpyjj6Z0PJ/iPun5miIO7FoR9bnU/zo0B8b577IIFkh2MkQGcH
-----END CERTIFICATE-----
`;
